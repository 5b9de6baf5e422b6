/** What somebody who fills in a field should know about it, where its name does not say it. */
import type { Language } from "./language.ts";

const en = {
  access_token_ttl: "In seconds. Short lives limit what a stolen token is good for: 900 is 15 minutes.",
  active: "Switched off, it no longer works anywhere, and what it was given ends at once.",
  activates_in: "In seconds. Others must have fetched the new key before it signs: 600 is 10 minutes.",
  allowed_grants: "The ways in which the app may get tokens. Leave out those that it does not use.",
  allowed_response_types: "One to a line. There is only code.",
  allowed_scopes: "One to a line. The app can ask for these and for no others.",
  app_id: "The client ID, or the identifier of the app.",
  app_type: "It decides which redirect URIs are allowed.",
  client_id: "Left empty, one is made. It does not change later.",
  created_by: "The e-mail, or the identifier of the user. Left empty, it is you.",
  current_password: "Needed when you change your own e-mail or password.",
  expire_others_in:
    "In seconds. Meanwhile the old secrets work beside the new one: 86400 is a day, 0 ends them now. Left empty, they stay.",
  expires_at: "In UTC. Left empty, it does not expire.",
  first_party: "People are not asked whether the app may act for them. Only for apps of your own.",
  id: "Left empty, one is made.",
  jwk: "A JSON object, in the place of the key in PEM.",
  key_id: "Left empty, one is made. Assertions name the key by it.",
  logo_url: "An https address. Pages show the picture beside the name.",
  metadata:
    "A JSON object of your own. The server reads resource, resources, default_scopes, post_logout_redirect_uris, refresh_reuse_window and scope_descriptions.",
  organization_id: "The short name, or the identifier of the organization.",
  owner_id: "The e-mail, or the identifier of the user. Left empty, it is you.",
  password: "8 characters or more. Left empty, it stays as it is.",
  permissions: "One to a line, such as apps:write, beside what the role gives.",
  public: "For apps that cannot keep a secret: in a browser, or on a device. PKCE protects them.",
  public_key_pem: "Left empty, a pair is made, and its private half is shown to you once.",
  redirect_uris: "One to a line, compared character by character. Only there do people return with a code.",
  refresh_token_rotation: "Each use gives a new refresh token; a stolen one is noticed when it comes twice.",
  refresh_token_ttl: "In seconds. People have to sign in again after it: 604800 is 7 days.",
  role: "One of owner, admin, developer and member, or a name of your own, which grants nothing by itself.",
  scopes: "One to a line.",
  secrets: "A JSON list of texts. Left empty, a secret is made unless the app is public.",
  service_account_id: "The e-mail, or the identifier of the service account.",
  settings: "A JSON object of your own. The server reads audience, and brand with name, logo_url and accent.",
  slug: "Lower-case letters, digits and hyphens. It stands in addresses.",
  successor:
    "The e-mail, or the identifier of who takes over the apps and service accounts of organizations.",
  user_id: "The e-mail, or the identifier of the user.",
  value: "Left empty, a secret is made and shown to you once.",
};

export type FieldHelp = typeof en;

const es: FieldHelp = {
  access_token_ttl: "En segundos. Cuanto menos dure, menos vale un token robado: 900 son 15 minutos.",
  active: "Al desactivarlo deja de funcionar en todas partes, y lo que recibió termina al instante.",
  activates_in:
    "En segundos. Los demás deben haber obtenido la clave nueva antes de que firme: 600 son 10 minutos.",
  allowed_grants: "Las formas en que la aplicación puede obtener tokens. Deja fuera las que no use.",
  allowed_response_types: "Uno por línea. Solo existe code.",
  allowed_scopes: "Uno por línea. La aplicación puede pedir estos y ningún otro.",
  app_id: "El ID de cliente o el identificador de la aplicación.",
  app_type: "De él depende qué URI de redirección se permiten.",
  client_id: "Si lo dejas vacío, se crea uno. Después no cambia.",
  created_by: "El correo o el identificador del usuario. Si lo dejas vacío, eres tú.",
  current_password: "Hace falta cuando cambias tu propio correo o tu contraseña.",
  expire_others_in:
    "En segundos. Mientras tanto, los secretos anteriores sirven junto al nuevo: 86400 es un día y 0 los termina ya. Vacío, se quedan.",
  expires_at: "En UTC. Si lo dejas vacío, no caduca.",
  first_party:
    "No se pregunta a las personas si la aplicación puede actuar por ellas. Solo para aplicaciones propias.",
  id: "Si lo dejas vacío, se crea uno.",
  jwk: "Un objeto JSON, en lugar de la clave en PEM.",
  key_id: "Si lo dejas vacío, se crea uno. Las aserciones nombran la clave con él.",
  logo_url: "Una dirección https. Las páginas muestran la imagen junto al nombre.",
  metadata:
    "Un objeto JSON propio. El servidor lee resource, resources, default_scopes, post_logout_redirect_uris, refresh_reuse_window y scope_descriptions.",
  organization_id: "El nombre corto o el identificador de la organización.",
  owner_id: "El correo o el identificador del usuario. Si lo dejas vacío, eres tú.",
  password: "8 caracteres o más. Si la dejas vacía, queda como está.",
  permissions: "Uno por línea, como apps:write, además de lo que da la función.",
  public:
    "Para aplicaciones que no pueden guardar un secreto: en un navegador o en un dispositivo. Las protege PKCE.",
  public_key_pem: "Si la dejas vacía, se crea un par y su mitad privada se te muestra una sola vez.",
  redirect_uris:
    "Uno por línea, comparados carácter por carácter. Solo allí vuelven las personas con un código.",
  refresh_token_rotation:
    "Cada uso da un token de renovación nuevo; si alguien roba uno, se nota al presentarse dos veces.",
  refresh_token_ttl: "En segundos. Después hay que iniciar sesión de nuevo: 604800 son 7 días.",
  role: "Una de owner, admin, developer y member, o un nombre propio, que por sí solo no concede nada.",
  scopes: "Uno por línea.",
  secrets: "Una lista JSON de textos. Vacía, se crea un secreto salvo que la aplicación sea pública.",
  service_account_id: "El correo o el identificador de la cuenta de servicio.",
  settings: "Un objeto JSON propio. El servidor lee audience, y brand con name, logo_url y accent.",
  slug: "Minúsculas, cifras y guiones. Aparece en direcciones.",
  successor:
    "El correo o el identificador de quien se hace cargo de las aplicaciones y cuentas de servicio de organizaciones.",
  user_id: "El correo o el identificador del usuario.",
  value: "Si lo dejas vacío, se crea un secreto y se te muestra una sola vez.",
};

const zh: FieldHelp = {
  access_token_ttl: "以秒为单位。有效期越短，令牌被盗的危害越小：900 即 15 分钟。",
  active: "停用后在任何地方都不再有效，已签发给它的一切立即终止。",
  activates_in: "以秒为单位。新密钥开始签名前，其他方须已获取它：600 即 10 分钟。",
  allowed_grants: "应用可以获取令牌的方式。请不要勾选用不到的。",
  allowed_response_types: "每行一个。目前只有 code。",
  allowed_scopes: "每行一个。应用只能请求这些范围。",
  app_id: "客户端 ID，或应用的标识。",
  app_type: "它决定允许哪些重定向 URI。",
  client_id: "留空则自动生成。之后不会更改。",
  created_by: "用户的电子邮件或标识。留空则为您本人。",
  current_password: "更改您自己的电子邮箱或密码时需要填写。",
  expire_others_in:
    "以秒为单位。在此期间旧密钥与新密钥同时有效：86400 为一天，0 为立即终止。留空则保留旧密钥。",
  expires_at: "以 UTC 计。留空则永不到期。",
  first_party: "不再询问人员是否允许此应用代其操作。仅适用于您自己的应用。",
  id: "留空则自动生成。",
  jwk: "一个 JSON 对象，用来代替 PEM 格式的公钥。",
  key_id: "留空则自动生成。断言用它来指明密钥。",
  logo_url: "https 地址。页面会在名称旁显示该图片。",
  metadata:
    "您自定义的 JSON 对象。服务器会读取 resource、resources、default_scopes、post_logout_redirect_uris、refresh_reuse_window 和 scope_descriptions。",
  organization_id: "组织的短名称或标识。",
  owner_id: "用户的电子邮件或标识。留空则为您本人。",
  password: "至少 8 个字符。留空则保持不变。",
  permissions: "每行一个，例如 apps:write；在角色权限之外附加。",
  public: "适用于无法保管密钥的应用：在浏览器中或在设备上。由 PKCE 保护。",
  public_key_pem: "留空则生成一对密钥，其私钥只向您显示一次。",
  redirect_uris: "每行一个，逐字符比较。人员只会带着授权码返回到这些地址。",
  refresh_token_rotation: "每次使用都会换发新的刷新令牌；被盗的令牌再次出现时即可察觉。",
  refresh_token_ttl: "以秒为单位。过期后须重新登录：604800 即 7 天。",
  role: "owner、admin、developer、member 之一，或自定义名称；自定义名称本身不授予任何权限。",
  scopes: "每行一个。",
  secrets: "由文本组成的 JSON 列表。留空时，除非应用是公开的，否则会生成一个密钥。",
  service_account_id: "服务账号的电子邮件或标识。",
  settings: "您自定义的 JSON 对象。服务器会读取 audience 和 brand，后者中有 name、logo_url 和 accent。",
  slug: "小写字母、数字和连字符。会出现在地址中。",
  successor: "接手各组织的应用和服务账号的用户的电子邮件或标识。",
  user_id: "用户的电子邮件或标识。",
  value: "留空则生成一个密钥，并只向您显示一次。",
};

export const fieldHelp: Readonly<Record<Language, FieldHelp>> = { en, es, zh };
