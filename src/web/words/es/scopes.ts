import type { ScopeWords } from "../en/scopes.ts";

export const scopeWords: ScopeWords = {
  known: {
    openid: "Saber que eres tú quien inicia sesión",
    profile: "Ver tu nombre y tu foto de perfil",
    email: "Ver tu dirección de correo electrónico",
    offline_access: "Conservar este acceso cuando no estés",
    "postern:manage": "Administrar todo lo que tú puedes administrar en este servidor",
    "postern:register": "Administrar qué clientes llegan a este servidor",
    "postern:read": "Ver todo lo que tú puedes ver en la administración de este servidor",
  },
  managed: {
    users: "las personas",
    organizations: "las organizaciones",
    memberships: "quién pertenece a cada organización",
    linked_accounts: "las cuentas vinculadas en otros servicios",
    api_keys: "las claves de API",
    apps: "las aplicaciones",
    app_secrets: "los secretos de las aplicaciones",
    resources: "API para las que son los tokens",
    tokens: "los tokens emitidos",
    auth_codes: "los códigos de autorización",
    consents: "lo que las personas han permitido a las aplicaciones",
    sessions: "dónde tienen sesión iniciada las personas",
    service_accounts: "las cuentas de servicio",
    key_pairs: "las claves de las cuentas de servicio",
    signing_keys: "las claves de firma",
    audit_events: "el registro de lo ocurrido",
    refusals: "lo que se rechazó y por qué",
  },
  see: (what) => `Ver ${what}, hasta donde tú puedas`,
  change: (what) => `Cambiar ${what}, hasta donde tú puedas`,
};
