import type { ResourceTypeWords } from "../en/resource_types.ts";

export const resourceTypeWords: ResourceTypeWords = {
  users: { one: "Usuario", many: "Usuarios", lead: "Personas que pueden iniciar sesión." },
  organizations: {
    one: "Organización",
    many: "Organizaciones",
    lead: "Grupos de personas con aplicaciones propias.",
  },
  memberships: {
    one: "Pertenencia",
    many: "Pertenencias",
    lead: "Quién pertenece a qué organización y como qué.",
  },
  linked_accounts: {
    one: "Cuenta vinculada",
    many: "Cuentas vinculadas",
    lead: "Cuentas de personas en otros proveedores.",
  },
  api_keys: {
    one: "Clave de API",
    many: "Claves de API",
    lead: "Claves con las que los programas gestionan registros.",
  },
  apps: {
    one: "Aplicación",
    many: "Aplicaciones",
    lead: "Aplicaciones que identifican a personas o piden tokens.",
  },
  app_secrets: {
    one: "Secreto de aplicación",
    many: "Secretos de aplicación",
    lead: "Con qué demuestran las aplicaciones quiénes son.",
  },
  tokens: {
    one: "Token emitido",
    many: "Tokens emitidos",
    lead: "Lo emitido a las aplicaciones, lo más reciente primero.",
  },
  auth_codes: {
    one: "Código de autorización",
    many: "Códigos de autorización",
    lead: "Códigos de un solo uso que aún han de convertirse en tokens.",
  },
  consents: {
    one: "Consentimiento",
    many: "Consentimientos",
    lead: "Lo que las personas han permitido a las aplicaciones.",
  },
  sessions: { one: "Sesión", many: "Sesiones", lead: "Dónde han iniciado sesión las personas." },
  service_accounts: {
    one: "Cuenta de servicio",
    many: "Cuentas de servicio",
    lead: "Programas con identidad propia.",
  },
  key_pairs: {
    one: "Par de claves",
    many: "Pares de claves",
    lead: "Con qué demuestran quiénes son las cuentas de servicio.",
  },
  signing_keys: {
    one: "Clave de firma",
    many: "Claves de firma",
    lead: "Con qué firma tokens este servidor.",
  },
  audit_events: {
    one: "Evento de auditoría",
    many: "Registro de auditoría",
    lead: "Quién hizo qué y cuándo, lo más reciente primero.",
  },
  refusals: { one: "Rechazo", many: "Rechazos", lead: "Qué se denegó a aplicaciones y personas, y por qué." },
};
