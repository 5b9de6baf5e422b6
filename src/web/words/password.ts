/** What the pages of a forgotten password say, and the mails that belong to them. */
import type { Language } from "./language.ts";

const en = {
  forgotLink: "Forgot your password?",
  forgotTitle: "Forgot your password?",
  forgotLead: "Give your e-mail address, and we send you a link to choose a new password.",
  email: "E-mail",
  sendLink: "Send the link",
  backToSignIn: "Back to sign-in",
  outOfDate: "This form was out of date. Please try again.",
  emailFault: "Write an e-mail address, such as name@example.com.",
  tooMany: "That was asked for many times in a short while.",
  tryAgainIn: (minutes: number) =>
    minutes === 1 ? "You can try again in 1 minute." : `You can try again in ${minutes} minutes.`,
  askedTitle: "Look into your mail",
  askedLead: (minutes: number) =>
    `If an account has this address, a mail is on its way to it. The link in it works once, for ${minutes} minutes.`,
  askedHint:
    "Nothing there after a few minutes? Look where unwanted mail goes, and see whether the address is the one of your account.",
  offTitle: "No mail from here",
  offLead:
    "This server sends no mail, so it cannot send you a link. Whoever runs it can set a new password for you.",
  resetTitle: "Choose a new password",
  resetLead: "You will be signed out everywhere, and sign in with the new one.",
  newPassword: "New password",
  newPasswordAgain: "Repeat the new password",
  passwordHint: "At least 8 characters. A few unrelated words are stronger than one odd one.",
  setPassword: "Set the password",
  tooShort: "This password is too short: it needs 8 characters or more.",
  tooLong: "This password is too long.",
  tooCommon: "This password is one of those that are guessed first.",
  differs: "The two passwords are not the same.",
  deadTitle: "This link does not work any more",
  deadLead: "It was used, is too old, or a newer one was sent after it.",
  askAgain: "Ask for a new link",
  doneTitle: "Your password is set",
  doneLead: "You were signed out everywhere. Sign in with your new password.",
  signIn: "Sign in",
  mailGreeting: "Hello,",
  mailSubject: (server: string) => `Choose a new password at ${server}`,
  mailAsked: (server: string) =>
    `Somebody asked for a new password for the account with this address at ${server}. With this link you can choose one:`,
  mailButton: "Choose a new password",
  mailOnce: (minutes: number) =>
    `It works once, for ${minutes} minutes. If you ask again, only the newest link works.`,
  mailIgnore: "If that was not you, do nothing: your password stays as it is.",
  mailNoWaySubject: (server: string) => `Your account at ${server}`,
  mailInactive: (server: string) =>
    `Somebody asked for a new password for the account with this address at ${server}. The account is switched off, so no password can be set. Whoever runs the server can switch it on again.`,
  mailNoPassword: (server: string) =>
    `Somebody asked for a new password for the account with this address at ${server}. The account has no password, so there is none to replace. Whoever runs the server can set one.`,
  mailNothingToDo: "If that was not you, there is nothing to do.",
  emailNoticeSubject: (server: string) => `The e-mail of your account at ${server} was changed`,
  emailNoticeChanged: (server: string, time: string) =>
    `The account that had this address at ${server} was given another one on ${time}. Mail about it goes there now.`,
  emailNoticeOther: "If it was not you, tell whoever runs the server at once.",
  noticeSubject: (server: string) => `Your password at ${server} was changed`,
  noticeChanged: (server: string, time: string) =>
    `The password of the account with this address at ${server} was changed on ${time}.`,
  noticeOwn: "If that was you, there is nothing to do.",
  noticeOther:
    "If it was not you, set a new password at once with the link below, and tell whoever runs the server.",
};

export type PasswordWords = typeof en;

const es: PasswordWords = {
  forgotLink: "¿Olvidaste tu contraseña?",
  forgotTitle: "¿Olvidaste tu contraseña?",
  forgotLead: "Escribe tu correo electrónico y te enviaremos un enlace para elegir una contraseña nueva.",
  email: "Correo electrónico",
  sendLink: "Enviar el enlace",
  backToSignIn: "Volver al inicio de sesión",
  outOfDate: "El formulario había caducado. Inténtalo de nuevo.",
  emailFault: "Escribe una dirección de correo electrónico, por ejemplo nombre@example.com.",
  tooMany: "Se ha pedido muchas veces en poco tiempo.",
  tryAgainIn: (minutes) =>
    minutes === 1
      ? "Puedes volver a intentarlo en 1 minuto."
      : `Puedes volver a intentarlo en ${minutes} minutos.`,
  askedTitle: "Revisa tu correo",
  askedLead: (minutes) =>
    `Si alguna cuenta tiene esta dirección, le llegará un mensaje en breve. El enlace que contiene sirve una sola vez, durante ${minutes} minutos.`,
  askedHint:
    "¿No llega nada tras unos minutos? Mira en la carpeta de correo no deseado y comprueba que la dirección sea la de tu cuenta.",
  offTitle: "Este servidor no envía correo",
  offLead:
    "Este servidor no envía correo, así que no puede mandarte un enlace. Quien lo administra puede asignarte una contraseña nueva.",
  resetTitle: "Elige una contraseña nueva",
  resetLead: "Se cerrarán todas tus sesiones y entrarás con la contraseña nueva.",
  newPassword: "Contraseña nueva",
  newPasswordAgain: "Repite la contraseña",
  passwordHint:
    "Al menos 8 caracteres. Unas pocas palabras sin relación son más seguras que una sola palabra rara.",
  setPassword: "Guardar la contraseña",
  tooShort: "Esta contraseña es demasiado corta: necesita 8 caracteres o más.",
  tooLong: "Esta contraseña es demasiado larga.",
  tooCommon: "Esta contraseña es de las primeras que se prueban.",
  differs: "Las dos contraseñas no coinciden.",
  deadTitle: "Este enlace ya no sirve",
  deadLead: "Ya se usó, es demasiado antiguo o después se envió otro más reciente.",
  askAgain: "Pedir un enlace nuevo",
  doneTitle: "Tu contraseña está guardada",
  doneLead: "Se han cerrado todas tus sesiones. Inicia sesión con la contraseña nueva.",
  signIn: "Iniciar sesión",
  mailGreeting: "Hola:",
  mailSubject: (server) => `Elige una contraseña nueva en ${server}`,
  mailAsked: (server) =>
    `Alguien pidió una contraseña nueva para la cuenta que tiene esta dirección en ${server}. Con este enlace puedes elegirla:`,
  mailButton: "Elegir una contraseña nueva",
  mailOnce: (minutes) =>
    `Sirve una sola vez, durante ${minutes} minutos. Si lo pides de nuevo, solo vale el enlace más reciente.`,
  mailIgnore: "Si no fuiste tú, no hagas nada: tu contraseña sigue siendo la misma.",
  mailNoWaySubject: (server) => `Tu cuenta en ${server}`,
  mailInactive: (server) =>
    `Alguien pidió una contraseña nueva para la cuenta que tiene esta dirección en ${server}. La cuenta está desactivada, así que no se le puede asignar una contraseña. Quien administra el servidor puede activarla de nuevo.`,
  mailNoPassword: (server) =>
    `Alguien pidió una contraseña nueva para la cuenta que tiene esta dirección en ${server}. La cuenta no tiene contraseña, así que no hay ninguna que cambiar. Quien administra el servidor puede asignarle una.`,
  mailNothingToDo: "Si no fuiste tú, no tienes que hacer nada.",
  emailNoticeSubject: (server) => `El correo de tu cuenta en ${server} ha cambiado`,
  emailNoticeChanged: (server, time) =>
    `La cuenta que tenía esta dirección en ${server} recibió otra el ${time}. Los correos sobre ella llegan ahora allí.`,
  emailNoticeOther: "Si no fuiste tú, avisa enseguida a quien administra el servidor.",
  noticeSubject: (server) => `Tu contraseña en ${server} ha cambiado`,
  noticeChanged: (server, time) =>
    `La contraseña de la cuenta que tiene esta dirección en ${server} se cambió el ${time}.`,
  noticeOwn: "Si fuiste tú, no tienes que hacer nada.",
  noticeOther:
    "Si no fuiste tú, elige cuanto antes una contraseña nueva con el enlace de abajo y avisa a quien administra el servidor.",
};

const zh: PasswordWords = {
  forgotLink: "忘记密码？",
  forgotTitle: "忘记密码？",
  forgotLead: "请输入您的电子邮箱地址，我们会发送一个链接，供您设置新密码。",
  email: "电子邮箱",
  sendLink: "发送链接",
  backToSignIn: "返回登录",
  outOfDate: "此表单已过期，请重试。",
  emailFault: "请输入电子邮箱地址，例如 name@example.com。",
  tooMany: "短时间内请求次数过多。",
  tryAgainIn: (minutes) => `请在 ${minutes} 分钟后重试。`,
  askedTitle: "请查收邮件",
  askedLead: (minutes) =>
    `如果有账号使用此地址，我们会向它发送一封邮件。邮件中的链接只能使用一次，${minutes} 分钟内有效。`,
  askedHint: "几分钟后仍未收到？请查看垃圾邮件文件夹，并确认该地址就是您账号的电子邮箱。",
  offTitle: "此服务器不发送邮件",
  offLead: "此服务器不发送邮件，因此无法向您发送链接。服务器管理员可以为您设置新密码。",
  resetTitle: "设置新密码",
  resetLead: "您将在所有设备上退出登录，然后使用新密码登录。",
  newPassword: "新密码",
  newPasswordAgain: "再次输入新密码",
  passwordHint: "至少 8 个字符。几个互不相关的词比一个生僻的词更安全。",
  setPassword: "保存密码",
  tooShort: "密码太短：至少需要 8 个字符。",
  tooLong: "此密码过长。",
  tooCommon: "此密码过于常见，极易被猜到。",
  differs: "两次输入的密码不一致。",
  deadTitle: "此链接已失效",
  deadLead: "它已被使用、已过期，或者之后又发送了新的链接。",
  askAgain: "获取新链接",
  doneTitle: "密码已设置",
  doneLead: "您已在所有设备上退出登录。请使用新密码登录。",
  signIn: "登录",
  mailGreeting: "您好：",
  mailSubject: (server) => `在 ${server} 设置新密码`,
  mailAsked: (server) => `有人为 ${server} 上使用此地址的账号申请了新密码。您可以通过此链接设置新密码：`,
  mailButton: "设置新密码",
  mailOnce: (minutes) => `此链接只能使用一次，${minutes} 分钟内有效。如果您再次申请，只有最新的链接有效。`,
  mailIgnore: "如果这不是您本人的操作，请忽略此邮件：您的密码不会改变。",
  mailNoWaySubject: (server) => `您在 ${server} 的账号`,
  mailInactive: (server) =>
    `有人为 ${server} 上使用此地址的账号申请了新密码。该账号已停用，因此无法设置密码。服务器管理员可以重新启用它。`,
  mailNoPassword: (server) =>
    `有人为 ${server} 上使用此地址的账号申请了新密码。该账号没有密码，因此无需重置。服务器管理员可以为它设置密码。`,
  mailNothingToDo: "如果这不是您本人的操作，则无需理会。",
  emailNoticeSubject: (server) => `您在 ${server} 的账号邮箱已更改`,
  emailNoticeChanged: (server, time) =>
    `${server} 上使用此地址的账号已于 ${time} 改用其他地址。今后的相关邮件将发送到新地址。`,
  emailNoticeOther: "如果不是您本人的操作，请立即告知服务器管理员。",
  noticeSubject: (server) => `您在 ${server} 的密码已更改`,
  noticeChanged: (server, time) => `${server} 上使用此地址的账号的密码已于 ${time} 更改。`,
  noticeOwn: "如果这是您本人的操作，则无需理会。",
  noticeOther: "如果不是您本人的操作，请立即通过下方链接设置新密码，并告知服务器管理员。",
};

export const passwordWords: Readonly<Record<Language, PasswordWords>> = { en, es, zh };
