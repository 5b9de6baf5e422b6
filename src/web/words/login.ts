import { html, type Printable } from "../html.ts";
import type { Language } from "./language.ts";

const en = {
  title: "Sign in",
  lead: "with your e-mail address and password",
  leadTo: (client: Printable) => html`to continue to ${client}`,
  email: "E-mail",
  password: "Password",
  submit: "Sign in",
  failures: {
    /** The same words for every cause (L-9). */
    refused: "That e-mail and password do not go together.",
    throttled: "There were too many attempts.",
    out_of_date: "This form was out of date. Please try again.",
  },
  why: "This keeps others from guessing passwords. Everything else goes on as before.",
  againIn: (time: string) => `You can try again in ${time}.`,
  seconds: (count: number) => (count === 1 ? "1 second" : `${count} seconds`),
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
};

export type LoginWords = typeof en;

const es: LoginWords = {
  title: "Iniciar sesión",
  lead: "con tu dirección de correo electrónico y tu contraseña",
  leadTo: (client) => html`para continuar a ${client}`,
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Iniciar sesión",
  failures: {
    refused: "El correo electrónico y la contraseña no coinciden.",
    throttled: "Ha habido demasiados intentos.",
    out_of_date: "El formulario había caducado. Inténtalo de nuevo.",
  },
  why: "Así nadie puede ir probando contraseñas. Todo lo demás sigue igual.",
  againIn: (time) => `Puedes volver a intentarlo en ${time}.`,
  seconds: (count) => (count === 1 ? "1 segundo" : `${count} segundos`),
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
};

const zh: LoginWords = {
  title: "登录",
  lead: "使用您的电子邮箱和密码",
  leadTo: (client) => html`以继续前往 ${client}`,
  email: "电子邮箱",
  password: "密码",
  submit: "登录",
  failures: {
    refused: "电子邮箱与密码不匹配。",
    throttled: "尝试次数过多。",
    out_of_date: "此表单已过期，请重试。",
  },
  why: "这样可以防止他人猜测密码，其他一切照常。",
  againIn: (time) => `请在 ${time}后重试。`,
  seconds: (count) => `${count} 秒`,
  minutes: (count) => `${count} 分钟`,
};

export const loginWords: Readonly<Record<Language, LoginWords>> = { en, es, zh };
