import type { FieldValues } from "../en/field_values.ts";
import { memberValues } from "./member_fields.ts";
import { providerValues } from "./provider_fields.ts";

export const fieldValues: FieldValues = {
  ...providerValues,
  ...memberValues,
  app_type: {
    web: "Aplicación web con servidor",
    spa: "Aplicación de una sola página",
    native: "Aplicación nativa o de línea de comandos",
    service: "Servicio (API)",
    machine: "De máquina a máquina",
  },
  kind: {
    website: "Sitio web con servidor",
    browser: "Aplicación de una sola página",
    native: "Aplicación de teléfono o escritorio",
    command_line: "Herramienta de línea de comandos",
    api: "API o servicio",
    machine: "De máquina a máquina",
  },
  plan: { free: "Gratuita", starter: "Inicial", pro: "Profesional", enterprise: "Empresarial" },
  role: { owner: "Propietario", admin: "Administrador", developer: "Desarrollador", member: "Miembro" },
  allowed_grants: {
    auth_code: "Código de autorización, para personas en un navegador",
    refresh: "Token de renovación, para mantener la sesión",
    client_credentials: "Credenciales de cliente, para la propia aplicación",
    jwt_bearer: "Aserción firmada, para cuentas de servicio",
  },
  group: { changes: "Cambios" },
  outcome: { success: "Correcto", failure: "Fallido" },
  actor_kind: {
    user: "Una persona",
    client: "Una aplicación",
    service_account: "Una cuenta de servicio",
    api_key: "Una clave de API",
    system: "El propio servidor",
    anonymous: "Desconocido",
  },
  client_assertion_audience: {
    issuer: "Solo el emisor",
    issuer_or_token_endpoint: "El emisor o el punto de tokens",
  },
  profile: { fapi2: "Perfil de seguridad FAPI 2.0", oauth21: "El borrador de OAuth 2.1" },
  provenance: {
    registered: "Registrada aquí",
    metadata_document: "Documento de metadatos del cliente",
    dynamic_registration: "El cliente se registró solo",
  },
  key_type: { rsa: "Clave RSA", ec: "Clave de curva elíptica" },
  revoked_reason: {
    rotated: "Rotado",
    replay: "Presentado por segunda vez",
    revoked: "Revocado",
    logout: "Sesión cerrada",
    consent_withdrawn: "Consentimiento retirado",
    password_changed: "Contraseña cambiada",
    user_disabled: "Usuario desactivado",
    organization_disabled: "Organización desactivada",
    app_disabled: "Aplicación desactivada",
    service_account_disabled: "Cuenta de servicio desactivada",
    key_revoked: "Clave revocada",
    membership_ended: "Dejó de ser miembro",
  },
  who_may_sign_in: {
    any: "Todos los usuarios",
    members: "Miembros de su organización",
    roles: "Miembros con uno de los roles",
    groups: "Miembros de uno de los grupos",
  },
  who_may_ask: {
    listed: "Solo las aplicaciones que la nombran",
    registered: "Las aplicaciones registradas de su propietario",
    any: "Cualquier cliente",
  },
};
