import { html, type Printable } from "../html.ts";
import type { Language } from "./language.ts";

const en = {
  title: (client: string) => `Allow ${client}?`,
  heading: (client: Printable) => html`Allow ${client} to use your account?`,
  unverified:
    "This application runs on your own device, so its identity cannot be checked. Allow it only if you have just started it yourself.",
  able: "It will be able to",
  allowedBefore: "Allowed before",
  /** Of a scope that the application's own settings describe. */
  ownWords: "Described by the application",
  undescribed: "Defined by the service it belongs to",
  as: "As",
  registeredBy: "Registered by",
  beforeNow: "Before now",
  neverUsed: "Not used with this account",
  goesTo: "You go on to",
  deny: "Deny",
  allow: "Allow",
};

export type ConsentWords = typeof en;

const es: ConsentWords = {
  title: (client) => `¿Permitir ${client}?`,
  heading: (client) => html`¿Permitir que ${client} use tu cuenta?`,
  unverified:
    "Esta aplicación se ejecuta en tu propio dispositivo, así que no se puede comprobar su identidad. Permítela solo si acabas de abrirla tú.",
  able: "Podrá",
  allowedBefore: "Ya permitido",
  ownWords: "Descrito por la aplicación",
  undescribed: "Definido por el servicio al que pertenece",
  as: "Como",
  registeredBy: "Registrada por",
  beforeNow: "Hasta ahora",
  neverUsed: "Sin uso con esta cuenta",
  goesTo: "Continúas en",
  deny: "Denegar",
  allow: "Permitir",
};

const zh: ConsentWords = {
  title: (client) => `允许 ${client}？`,
  heading: (client) => html`允许 ${client} 使用您的账号吗？`,
  unverified: "此应用运行在您自己的设备上，无法核实其身份。仅当它是您刚刚亲自启动的时，才应允许。",
  able: "它将能够",
  allowedBefore: "此前已允许",
  ownWords: "由该应用描述",
  undescribed: "由其所属的服务定义",
  as: "账号",
  registeredBy: "注册者",
  beforeNow: "此前",
  neverUsed: "未曾用于此账号",
  goesTo: "接下来前往",
  deny: "拒绝",
  allow: "允许",
};

export const consentWords: Readonly<Record<Language, ConsentWords>> = { en, es, zh };
