import type { Fault } from "./fault.ts";

/** What a value must be beside others, what must remain, and who may give what. */
export const ruleFaults: readonly Fault[] = [
  {
    en: "must be absent beside public_key_pem",
    es: "no puede acompañar a public_key_pem",
    zh: "不能与 public_key_pem 同时提供",
  },
  { en: "must be absent beside user_id", es: "no puede acompañar a user_id", zh: "不能与 user_id 同时提供" },
  {
    en: "must be absent beside user_id: a key has one owner",
    es: "no puede acompañar a user_id: una clave tiene un solo dueño",
    zh: "不能与 user_id 同时提供：密钥只有一个所有者",
  },
  {
    en: "must be given, or organization_id",
    es: "debe indicarse, o bien organization_id",
    zh: "必须提供此项或 organization_id",
  },
  { en: "is that of another key pair", es: "es el de otro par de claves", zh: "属于另一个密钥对" },
  {
    en: "is the same as that of an earlier key pair",
    es: "es la misma que la de un par de claves anterior",
    zh: "与先前的密钥对相同",
  },
  { en: "there is no user of this id", es: "no hay ningún usuario con este id", zh: "没有此 id 的用户" },
  {
    en: "there is no organization of this id",
    es: "no hay ninguna organización con este id",
    zh: "没有此 id 的组织",
  },
  { en: "there is no app of this id", es: "no hay ninguna aplicación con este id", zh: "没有此 id 的应用" },
  {
    en: "there is no service account of this id",
    es: "no hay ninguna cuenta de servicio con este id",
    zh: "没有此 id 的服务账号",
  },
  {
    en: "there is no user of this e-mail",
    es: "no hay ningún usuario con este correo",
    zh: "没有使用此电子邮件的用户",
  },
  {
    en: "must be a member of the organization",
    es: "debe ser miembro de la organización",
    zh: "必须是该组织的成员",
  },
  {
    en: "must be one where you hold api_keys:write",
    es: "debe ser una en la que tengas api_keys:write",
    zh: "必须是您拥有 api_keys:write 权限的组织",
  },
  { en: "must be you", es: "debes ser tú", zh: "必须是您本人" },
  { en: "is above your own", es: "está por encima del tuyo", zh: "高于您自己的角色" },
  {
    en: "is a permission that you do not hold",
    es: "es un permiso que no tienes",
    zh: "是您没有的权限",
  },
  {
    en: "would grant what you do not hold: {}",
    es: "otorgaría lo que no tienes: {}",
    zh: "会授予您没有的权限：{}",
  },
  {
    en: "would grant more than this credential lets through",
    es: "otorgaría más de lo que permite esta credencial",
    zh: "会授予超出此凭据范围的权限",
  },
  {
    en: "is wider than what the owner may do",
    es: "va más allá de lo que puede hacer su dueño",
    zh: "超出所有者的权限",
  },
  { en: "is wider than what you may do", es: "va más allá de lo que puedes hacer", zh: "超出您的权限" },
  {
    en: "is allowed to no app through which you may give it",
    es: "no lo tiene permitido ninguna aplicación por la que puedas otorgarlo",
    zh: "没有您可用来授予此项的应用",
  },
  {
    en: "is already defined elsewhere: only a platform administrator may give it",
    es: "ya está definido en otro lugar: solo lo otorga un administrador de la plataforma",
    zh: "已在别处定义：只有平台管理员可以授予",
  },
  {
    en: "may name what apps of the organization are; more only a platform administrator may allow",
    es: "puede nombrar lo que son las aplicaciones de la organización; más solo lo permite un administrador de la plataforma",
    zh: "只能是本组织应用所代表的资源；更多须由平台管理员允许",
  },
  {
    en: "is reserved: only a platform administrator may give it",
    es: "está reservado: solo lo otorga un administrador de la plataforma",
    zh: "为保留项：只有平台管理员可以授予",
  },
  {
    en: "only a platform administrator may set it",
    es: "solo lo fija un administrador de la plataforma",
    zh: "只有平台管理员可以设置",
  },
  {
    en: "only a platform administrator may choose it",
    es: "solo lo elige un administrador de la plataforma",
    zh: "只有平台管理员可以选择",
  },
  {
    en: "gives power to nobody: there is no owner",
    es: "no da poder a nadie: no hay dueño",
    zh: "不会赋予任何人权限：没有所有者",
  },
  {
    en: "is a public app, which has no secret",
    es: "es una aplicación pública, que no tiene secreto",
    zh: "是公开应用，没有密钥",
  },
  {
    en: "is not in the consent; only its user can add to it",
    es: "no está en el consentimiento; solo su usuario puede ampliarlo",
    zh: "不在授权同意之内；只有用户本人可以扩大",
  },
  {
    en: "is one of those that are guessed first",
    es: "es una de las que se prueban primero",
    zh: "属于最先被猜到的密码",
  },
  { en: "must have at most {} bytes", es: "debe tener {} bytes como máximo", zh: "最多 {} 个字节" },
  {
    en: "must be at most {} bytes of UTF-8",
    es: "debe tener {} bytes de UTF-8 como máximo",
    zh: "最多 {} 个 UTF-8 字节",
  },
  {
    en: "is for whoever gives a new password or e-mail",
    es: "es para quien da una contraseña nueva o un correo nuevo",
    zh: "仅在设置新密码或新邮箱时提供",
  },
  { en: "is wrong", es: "no es correcta", zh: "不正确" },
  { en: "nobody switches themselves off", es: "nadie se desactiva a sí mismo", zh: "不能停用自己" },
  {
    en: "of somebody else is changed only with a platform administrator's credential that lets everything through",
    es: "de otra persona solo se cambia con una credencial de administrador de la plataforma que lo permita todo",
    zh: "他人的此项只能用平台管理员不受限制的凭据更改",
  },
  {
    en: "is set only with a platform administrator's credential that lets everything through",
    es: "solo se fija con una credencial de administrador de la plataforma que lo permita todo",
    zh: "只能用平台管理员不受限制的凭据设置",
  },
  {
    en: "of an administrator is switched on only with a credential that lets everything through",
    es: "de un administrador solo se activa con una credencial que lo permita todo",
    zh: "管理员只能用不受限制的凭据启用",
  },
  {
    en: "is changed only with a credential that lets through all that you may do",
    es: "solo se cambia con una credencial que permita todo lo que puedes hacer",
    zh: "只能用允许您全部权限的凭据更改",
  },
  {
    en: "is changed by who is owner or admin of both organizations",
    es: "solo lo cambia quien es propietario o administrador de ambas organizaciones",
    zh: "只能由同时是两个组织的所有者或管理员的人更改",
  },
  {
    en: "a platform administrator vouched for this app (first_party): only one may change it",
    es: "un administrador de la plataforma respondió por esta aplicación (first_party): solo uno puede cambiarlo",
    zh: "平台管理员已为此应用担保（first_party）：只有平台管理员可以更改",
  },
  {
    en: "a platform administrator vouched for this app (first_party): only one may give it secrets",
    es: "un administrador de la plataforma respondió por esta aplicación (first_party): solo uno puede darle secretos",
    zh: "平台管理员已为此应用担保（first_party）：只有平台管理员可以为其添加密钥",
  },
  {
    en: "was switched off by a platform administrator: only one may switch it on again",
    es: "lo desactivó un administrador de la plataforma: solo uno puede volver a activarlo",
    zh: "已被平台管理员停用：只有平台管理员可以重新启用",
  },
  {
    en: "a platform administrator switched it off: only one may delete it",
    es: "lo desactivó un administrador de la plataforma: solo uno puede eliminarlo",
    zh: "已被平台管理员停用：只有平台管理员可以删除",
  },
  {
    en: "is the last active platform administrator: make another one first",
    es: "es el último administrador activo de la plataforma: crea otro antes",
    zh: "是最后一位有效的平台管理员：请先添加另一位",
  },
  {
    en: "this is the last active platform administrator: make another one first",
    es: "es el último administrador activo de la plataforma: crea otro antes",
    zh: "这是最后一位有效的平台管理员：请先添加另一位",
  },
  {
    en: "this is the last owner of the organization: make another one first",
    es: "es el último propietario de la organización: nombra otro antes",
    zh: "这是该组织的最后一位所有者：请先指定另一位",
  },
  {
    en: "is the last owner of {}: make another one first",
    es: "es el último propietario de {}: nombra otro antes",
    zh: "是 {} 的最后一位所有者：请先指定另一位",
  },
  {
    en: "still has {}: remove them first",
    es: "aún tiene {}: quítalas antes",
    zh: "仍有 {}：请先移除",
  },
  { en: "this is not yours to give", es: "no te corresponde otorgarlo", zh: "这不是您可以授予的" },
  {
    en: "a record that this one refers to is gone",
    es: "ya no existe un registro al que este se refiere",
    zh: "此记录引用的记录已不存在",
  },
  {
    en: "another {} has the same {}",
    es: "ya existe otro con el mismo valor ({}: {})",
    zh: "已有相同的值（{}：{}）",
  },
  {
    en: "the app has this secret already",
    es: "la aplicación ya tiene este secreto",
    zh: "该应用已有此密钥",
  },
  {
    en: "another app has the same metadata.resource",
    es: "otra aplicación tiene el mismo metadata.resource",
    zh: "另一个应用已有相同的 metadata.resource",
  },
  {
    en: "the user made {} apps and {} service accounts of organizations: name who takes them over",
    es: "el usuario creó {} aplicaciones y {} cuentas de servicio de organizaciones: indica quién se hace cargo",
    zh: "该用户为组织创建了 {} 个应用和 {} 个服务账号：请指定接手人",
  },
  {
    en: "the consent was withdrawn; only its user can give it again",
    es: "el consentimiento se retiró; solo su usuario puede darlo de nuevo",
    zh: "授权同意已撤回；只有用户本人可以再次授予",
  },
  {
    en: "the password was changed by somebody else at the same time",
    es: "otra persona cambió la contraseña al mismo tiempo",
    zh: "密码同时被他人更改",
  },
  {
    en: "too many wrong passwords; try again later",
    es: "demasiadas contraseñas incorrectas; inténtalo más tarde",
    zh: "密码错误次数过多；请稍后再试",
  },
  {
    en: "this needs the permission {} here",
    es: "aquí hace falta el permiso {}",
    zh: "此处需要权限 {}",
  },
  {
    en: "there is no {} of this id",
    es: "no hay ningún registro con este id ({})",
    zh: "没有此 id 的记录（{}）",
  },
  {
    en: "must be a public key; this is a private one and should be replaced",
    es: "debe ser una clave pública; esta es privada y conviene reemplazarla",
    zh: "必须是公钥；这是私钥，应予更换",
  },
  {
    en: "must be absent: a public app has no secret",
    es: "no puede indicarse: una aplicación pública no tiene secreto",
    zh: "不能提供：公开应用没有密钥",
  },
  {
    en: "is the same secret as number {}",
    es: "es el mismo secreto que el número {}",
    zh: "与第 {} 个密钥相同",
  },
  {
    en: "must be given with a new password or e-mail",
    es: "debe darse junto con una contraseña nueva o un correo nuevo",
    zh: "设置新密码或新邮箱时必须提供",
  },
  { en: "is not the password", es: "no es la contraseña", zh: "密码不正确" },
  {
    en: "must be an integer from {} to {}",
    es: "debe ser un entero de {} a {}",
    zh: "必须是 {} 到 {} 的整数",
  },
  {
    en: "only a platform administrator may make an app without an organization",
    es: "solo un administrador de la plataforma puede crear una aplicación sin organización",
    zh: "只有平台管理员可以创建不属于组织的应用",
  },
  {
    en: "only a platform administrator may rotate the signing keys",
    es: "solo un administrador de la plataforma puede rotar las claves de firma",
    zh: "只有平台管理员可以轮换签名密钥",
  },
  {
    en: "only a platform administrator may make users",
    es: "solo un administrador de la plataforma puede crear usuarios",
    zh: "只有平台管理员可以创建用户",
  },
  {
    en: "only a platform administrator may change another user",
    es: "solo un administrador de la plataforma puede modificar a otro usuario",
    zh: "只有平台管理员可以更改其他用户",
  },
  {
    en: "only a platform administrator may delete users",
    es: "solo un administrador de la plataforma puede eliminar usuarios",
    zh: "只有平台管理员可以删除用户",
  },
  { en: "nobody deletes themselves", es: "nadie se elimina a sí mismo", zh: "不能删除自己" },
  {
    en: "only a platform administrator may make organizations",
    es: "solo un administrador de la plataforma puede crear organizaciones",
    zh: "只有平台管理员可以创建组织",
  },
  {
    en: "only a platform administrator links accounts without a sign-in",
    es: "solo un administrador de la plataforma vincula cuentas sin inicio de sesión",
    zh: "只有平台管理员可以不经登录关联账号",
  },
  {
    en: "only a person invites others",
    es: "solo una persona invita a otras",
    zh: "只有个人可以邀请他人",
  },
];
