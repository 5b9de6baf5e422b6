import type { Language } from "./language.ts";

const en = {
  /** By the scope's name. */
  known: {
    openid: "Know that it is you who signs in",
    profile: "See your name and profile picture",
    email: "See your e-mail address",
    offline_access: "Keep this access while you are away",
    "postern:manage": "Manage everything that you may manage on this server",
    "postern:read": "See everything that you may see in the management of this server",
  },
  /** What the resource types of the management API are to a person (records/permissions.ts). */
  managed: {
    users: "people",
    organizations: "organizations",
    memberships: "memberships of organizations",
    linked_accounts: "accounts linked at other services",
    api_keys: "API keys",
    apps: "apps",
    app_secrets: "secrets of apps",
    tokens: "issued tokens",
    auth_codes: "authorization codes",
    consents: "what people allowed to apps",
    sessions: "where people are signed in",
    service_accounts: "service accounts",
    key_pairs: "keys of service accounts",
    signing_keys: "signing keys",
    audit_events: "the record of what happened",
    refusals: "what was refused, and why",
  },
  see: (what: string) => `See ${what}, as far as you may`,
  change: (what: string) => `Change ${what}, as far as you may`,
};

export type ScopeWords = typeof en;

const es: ScopeWords = {
  known: {
    openid: "Saber que eres tú quien inicia sesión",
    profile: "Ver tu nombre y tu foto de perfil",
    email: "Ver tu dirección de correo electrónico",
    offline_access: "Conservar este acceso cuando no estés",
    "postern:manage": "Administrar todo lo que tú puedes administrar en este servidor",
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

const zh: ScopeWords = {
  known: {
    openid: "确认登录的人是您",
    profile: "查看您的姓名和头像",
    email: "查看您的电子邮箱地址",
    offline_access: "在您离开时保留此访问权限",
    "postern:manage": "管理您在此服务器上有权管理的一切",
    "postern:read": "查看您在此服务器的管理中有权查看的一切",
  },
  managed: {
    users: "用户",
    organizations: "组织",
    memberships: "组织成员关系",
    linked_accounts: "在其他服务上关联的账号",
    api_keys: "API 密钥",
    apps: "应用",
    app_secrets: "应用的机密",
    tokens: "已签发的令牌",
    auth_codes: "授权码",
    consents: "用户对应用的授权",
    sessions: "用户的登录会话",
    service_accounts: "服务账号",
    key_pairs: "服务账号的密钥",
    signing_keys: "签名密钥",
    audit_events: "审计记录",
    refusals: "被拒绝的请求及其原因",
  },
  see: (what) => `在您的权限范围内查看${what}`,
  change: (what) => `在您的权限范围内更改${what}`,
};

export const scopeWords: Readonly<Record<Language, ScopeWords>> = { en, es, zh };
