import type { Language } from "./language.ts";

const en = {
  title: "Set up",
  heading: "Set up Postern",
  lead: "Make the account of the first administrator. This works once.",
  name: "Name",
  email: "E-mail",
  password: "Password",
  passwordHint: "At least 8 characters. A few unrelated words are stronger than one odd one.",
  submit: "Create administrator",
  doneTitle: "Ready",
  done: "Postern is ready",
  doneLead: "The first administrator exists, and this link has done its work.",
  signIn: "Sign in",
  faults: {
    name: "Give a name of 1 to 255 characters.",
    email: "This is not an e-mail address.",
    email_taken: "This e-mail address belongs to somebody already.",
    password_short: "This password must be 8 characters or more.",
    password_long: "This password is too long.",
    password_common: "This password is one of those that are guessed first.",
  },
};

export type SetupWords = typeof en;

const es: SetupWords = {
  title: "Configuración",
  heading: "Configurar Postern",
  lead: "Crea la cuenta del primer administrador. Esto solo funciona una vez.",
  name: "Nombre",
  email: "Correo electrónico",
  password: "Contraseña",
  passwordHint:
    "Al menos 8 caracteres. Unas pocas palabras sin relación son más seguras que una sola palabra rara.",
  submit: "Crear administrador",
  doneTitle: "Listo",
  done: "Postern está listo",
  doneLead: "El primer administrador ya existe y este enlace ha cumplido su función.",
  signIn: "Iniciar sesión",
  faults: {
    name: "Escribe un nombre de 1 a 255 caracteres.",
    email: "Esto no es una dirección de correo electrónico.",
    email_taken: "Esta dirección de correo electrónico ya pertenece a alguien.",
    password_short: "Esta contraseña es demasiado corta: necesita 8 caracteres o más.",
    password_long: "Esta contraseña es demasiado larga.",
    password_common: "Esta contraseña es de las primeras que se adivinan.",
  },
};

const zh: SetupWords = {
  title: "初始设置",
  heading: "设置 Postern",
  lead: "创建第一位管理员的账号。此操作只能进行一次。",
  name: "姓名",
  email: "电子邮箱",
  password: "密码",
  passwordHint: "至少 8 个字符。几个互不相关的词比一个生僻的词更安全。",
  submit: "创建管理员",
  doneTitle: "就绪",
  done: "Postern 已就绪",
  doneLead: "第一位管理员已经存在，此链接已完成使命。",
  signIn: "登录",
  faults: {
    name: "请填写 1 到 255 个字符的姓名。",
    email: "这不是有效的电子邮箱地址。",
    email_taken: "此电子邮箱已被使用。",
    password_short: "密码太短：至少需要 8 个字符。",
    password_long: "密码太长。",
    password_common: "这是最容易被猜到的密码之一。",
  },
};

export const setupWords: Readonly<Record<Language, SetupWords>> = { en, es, zh };
