/**
 * What the values of fields are called to people, where a field has few; every other value is shown as it is
 * written.
 */
import type { AuditEvent, Organization } from "../../records/definition.ts";
import type { AllowedGrant, appTypes, keyTypes, RevokedReason, roles } from "../../records/names.ts";
import type { Language } from "./language.ts";

type Of<Value extends string> = Readonly<Record<Value, string>>;

/** By the name of the field. */
export type FieldValues = {
  readonly app_type: Of<(typeof appTypes)[number]>;
  readonly plan: Of<Organization["plan"]>;
  /** Spec 2.3 leaves the names open: these are the ones that this server knows. */
  readonly role: Of<(typeof roles)[number]>;
  readonly allowed_grants: Of<AllowedGrant>;
  readonly outcome: Of<AuditEvent["outcome"]>;
  readonly actor_kind: Of<AuditEvent["actor_kind"]>;
  readonly key_type: Of<(typeof keyTypes)[number]>;
  readonly revoked_reason: Of<RevokedReason>;
};

const en: FieldValues = {
  app_type: {
    web: "Web application with a server",
    spa: "Application in the browser",
    native: "Application on a device",
    service: "Service that is called",
    machine: "Machine without people",
  },
  plan: { free: "Free", starter: "Starter", pro: "Pro", enterprise: "Enterprise" },
  role: { owner: "Owner", admin: "Administrator", developer: "Developer", member: "Member" },
  allowed_grants: {
    auth_code: "Authorization code, for people in a browser",
    refresh: "Refresh token, to stay signed in",
    client_credentials: "Client credentials, for the app itself",
    jwt_bearer: "Signed assertion, for service accounts",
  },
  outcome: { success: "Success", failure: "Failure" },
  actor_kind: {
    user: "A person",
    client: "An app",
    service_account: "A service account",
    api_key: "An API key",
    system: "The server itself",
    anonymous: "Nobody known",
  },
  key_type: { rsa: "RSA key", ec: "Elliptic-curve key" },
  revoked_reason: {
    rotated: "Rotated",
    replay: "Presented a second time",
    revoked: "Revoked",
    logout: "Signed out",
    consent_withdrawn: "Consent withdrawn",
    password_changed: "Password changed",
    user_disabled: "User switched off",
    organization_disabled: "Organization switched off",
    app_disabled: "App switched off",
    service_account_disabled: "Service account switched off",
    key_revoked: "Key revoked",
  },
};

const es: FieldValues = {
  app_type: {
    web: "Aplicación web con servidor",
    spa: "Aplicación en el navegador",
    native: "Aplicación en un dispositivo",
    service: "Servicio al que se llama",
    machine: "Máquina sin personas",
  },
  plan: { free: "Gratuita", starter: "Inicial", pro: "Profesional", enterprise: "Empresarial" },
  role: { owner: "Propietario", admin: "Administrador", developer: "Desarrollador", member: "Miembro" },
  allowed_grants: {
    auth_code: "Código de autorización, para personas en un navegador",
    refresh: "Token de renovación, para mantener la sesión",
    client_credentials: "Credenciales de cliente, para la propia aplicación",
    jwt_bearer: "Aserción firmada, para cuentas de servicio",
  },
  outcome: { success: "Correcto", failure: "Fallido" },
  actor_kind: {
    user: "Una persona",
    client: "Una aplicación",
    service_account: "Una cuenta de servicio",
    api_key: "Una clave de API",
    system: "El propio servidor",
    anonymous: "Nadie conocido",
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
  },
};

const zh: FieldValues = {
  app_type: {
    web: "带服务器的网页应用",
    spa: "浏览器中的应用",
    native: "设备上的应用",
    service: "被调用的服务",
    machine: "无人参与的机器",
  },
  plan: { free: "免费版", starter: "入门版", pro: "专业版", enterprise: "企业版" },
  role: { owner: "所有者", admin: "管理员", developer: "开发者", member: "成员" },
  allowed_grants: {
    auth_code: "授权码：用于浏览器中的人员",
    refresh: "刷新令牌：用于保持登录",
    client_credentials: "客户端凭据：用于应用自身",
    jwt_bearer: "签名断言：用于服务账号",
  },
  outcome: { success: "成功", failure: "失败" },
  actor_kind: {
    user: "人员",
    client: "应用",
    service_account: "服务账号",
    api_key: "API 密钥",
    system: "服务器自身",
    anonymous: "身份不明者",
  },
  key_type: { rsa: "RSA 密钥", ec: "椭圆曲线密钥" },
  revoked_reason: {
    rotated: "已轮换",
    replay: "被重复使用",
    revoked: "被吊销",
    logout: "已退出登录",
    consent_withdrawn: "已撤回同意",
    password_changed: "密码已更改",
    user_disabled: "用户已停用",
    organization_disabled: "组织已停用",
    app_disabled: "应用已停用",
    service_account_disabled: "服务账号已停用",
    key_revoked: "密钥已吊销",
  },
};

export const fieldValues: Readonly<Record<Language, FieldValues>> = { en, es, zh };
