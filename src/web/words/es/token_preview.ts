import type { TokenPreviewWords } from "../en/token_preview.ts";

export const tokenPreviewWords: TokenPreviewWords = {
  title: "Vista previa de tokens",
  lead: "Muestra los claims que los tokens tendrían ahora y por qué faltan otros. No se emite nada.",
  notFound: "No existe, o no puedes leerlo.",
  show: "Mostrar claims",
  fields: {
    app: "Aplicación",
    user: "Usuario",
    organization: "Organización",
    scope: "Ámbitos (scopes)",
    resource: "Las API",
  },
  help: {
    app: "Su ID de cliente, nombre o ID.",
    user: "Un correo o ID. Vacío para un token que la aplicación pide para sí misma.",
    organization: "Un slug o ID, si los tokens de la aplicación son para una organización.",
    scope: "Separados por espacios. Vacío para todos los que la aplicación puede pedir.",
    resource: "Identificadores, separados por espacios.",
  },
  scopes: "Scopes de los tokens",
  refusedScopes: "Scopes que los tokens no tienen",
  audience: "Audiencia",
  none: "Ninguno",
  noToken:
    "Ninguno. El token de identidad y la información del usuario necesitan un usuario y el scope openid; un token para una API no obtiene información del usuario.",
  claim: "Claim (dato)",
  value: "Valor",
  reason: "Motivo",
  absent: "Ausente",
  setAtIssue: "Se fija al emitir el token",
  surfaces: {
    id_token: "Token de identidad",
    userinfo: "Información del usuario",
    access_token: "Token de acceso",
    introspection: "Introspección",
  },
  sources: {
    protocol: "Parte de todo token",
    user: "Campo del usuario, lo libera",
    membership: "De la membresía, lo libera",
    attribute: "Un atributo, lo libera",
  },
  absences: {
    scope_not_requested: "La petición no nombra ningún scope que lo libere:",
    scope_not_allowed: "La aplicación no puede pedir un scope que lo libere:",
    not_in_claims_of_app: "Los claims de la aplicación lo excluyen aquí.",
    not_in_claims_of_api: "Los claims de una API lo excluyen aquí.",
    organization_mode_none: "Los tokens de la aplicación no son para ninguna organización.",
    no_organization: "El token no es para ninguna organización.",
    value_empty: "El registro no tiene valor.",
    too_large: "El token sería demasiado grande. La información del usuario y la introspección lo tienen.",
  },
  notIssued: {
    app_inactive: "No se emite ningún token: la aplicación está desactivada.",
    user_inactive: "No se emite ningún token: el usuario está desactivado.",
    grant_not_allowed:
      "No se emite ningún token: la aplicación no puede pedir uno para sí misma. Indica un usuario.",
    not_admitted: "No se emite ningún token: la aplicación no permite que este usuario inicie sesión.",
    app_role_lacking: "No se emite ningún token: ningún rol de API del usuario otorga un scope pedido.",
    organization_lacking:
      "No se emite ningún token: la aplicación exige una organización y el usuario no pertenece a ninguna.",
    not_member:
      "No se emite ningún token (access_denied): el usuario no es miembro de esta organización, o no puedes ver la membresía.",
    organization_not_chosen: "El usuario elige una organización al iniciar sesión. Indica una de estas:",
  },
};
