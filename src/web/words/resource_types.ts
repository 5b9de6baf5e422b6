import type { ResourceType } from "../../records/permissions.ts";
import type { Language } from "./language.ts";

type Words = {
  readonly [F in ResourceType]: { readonly one: string; readonly many: string; readonly lead: string };
};

/** What the resource types are called, one and many, and what they are. */
const en: Words = {
  users: { one: "User", many: "Users", lead: "People who can sign in." },
  organizations: {
    one: "Organization",
    many: "Organizations",
    lead: "Groups of people with apps of their own.",
  },
  memberships: {
    one: "Membership",
    many: "Memberships",
    lead: "Who belongs to which organization, as what.",
  },
  linked_accounts: {
    one: "Linked account",
    many: "Linked accounts",
    lead: "Accounts of people at other providers.",
  },
  api_keys: { one: "API key", many: "API keys", lead: "Keys with which programs manage records." },
  apps: { one: "App", many: "Apps", lead: "Applications that sign people in or ask for tokens." },
  app_secrets: { one: "App secret", many: "App secrets", lead: "With what apps prove who they are." },
  tokens: { one: "Token", many: "Tokens", lead: "What was issued to apps, the newest first." },
  auth_codes: {
    one: "Authorization code",
    many: "Authorization codes",
    lead: "One-time codes on their way to becoming tokens.",
  },
  consents: { one: "Consent", many: "Consents", lead: "What people have allowed apps." },
  sessions: { one: "Session", many: "Sessions", lead: "Where people are signed in." },
  service_accounts: {
    one: "Service account",
    many: "Service accounts",
    lead: "Programs with an identity of their own.",
  },
  key_pairs: { one: "Key pair", many: "Key pairs", lead: "With what service accounts prove who they are." },
  signing_keys: { one: "Signing key", many: "Signing keys", lead: "With what this server signs tokens." },
  audit_events: { one: "Audit event", many: "Audit trail", lead: "Who did what and when, the newest first." },
  refusals: { one: "Refusal", many: "Refusals", lead: "What was refused to apps and people, and why." },
};

export type FamilyWords = Words;

const es: Words = {
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

const zh: Words = {
  users: { one: "用户", many: "用户", lead: "可以登录的人。" },
  organizations: { one: "组织", many: "组织", lead: "拥有自己应用的人员群体。" },
  memberships: { one: "成员关系", many: "成员关系", lead: "谁以何种身份属于哪个组织。" },
  linked_accounts: { one: "关联账号", many: "关联账号", lead: "人员在其他提供方的账号。" },
  api_keys: { one: "API 密钥", many: "API 密钥", lead: "程序用来管理记录的密钥。" },
  apps: { one: "应用", many: "应用", lead: "为人员登录或请求令牌的应用。" },
  app_secrets: { one: "应用密钥", many: "应用密钥", lead: "应用用来证明身份的凭据。" },
  tokens: { one: "令牌", many: "令牌", lead: "签发给应用的令牌，最新的在前。" },
  auth_codes: { one: "授权码", many: "授权码", lead: "即将换取令牌的一次性代码。" },
  consents: { one: "授权同意", many: "授权同意", lead: "人员允许应用做的事。" },
  sessions: { one: "会话", many: "会话", lead: "人员在哪里处于登录状态。" },
  service_accounts: { one: "服务账号", many: "服务账号", lead: "拥有自己身份的程序。" },
  key_pairs: { one: "密钥对", many: "密钥对", lead: "服务账号用来证明身份的凭据。" },
  signing_keys: { one: "签名密钥", many: "签名密钥", lead: "本服务器用来签发令牌的密钥。" },
  audit_events: { one: "审计事件", many: "审计记录", lead: "谁在何时做了什么，最新的在前。" },
  refusals: { one: "拒绝记录", many: "拒绝记录", lead: "拒绝了应用和人员的哪些请求，以及原因。" },
};

export const resourceTypeWords: Readonly<Record<Language, FamilyWords>> = { en, es, zh };
