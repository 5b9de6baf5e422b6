import type { Language } from "./language.ts";

const en = {
  title: "Walk through the code flow",
  eyebrow: "Demo data, on this machine only",
  heading: "The authorization code flow, one step at a time",
  lead: "Every request that passes between the application, your browser and this server, with its answer, as it went over the wire.",
  demoData: "Demo data",
  signInAs: "Sign in as",
  clients: "Clients",
  kinds: { confidential: "confidential", public: "public", machine: "machine" },
  nothingSent: "Nothing has been sent yet. Start the flow, and its first request appears here.",
  actions: {
    reset: "Begin anew",
    start: (client: string) => `Start as “${client}”`,
    machine: (client: string) => `Get a token as “${client}”`,
  },
};

export type DevWords = typeof en;

const es: DevWords = {
  title: "Recorrer el flujo de código",
  eyebrow: "Datos de demostración, solo en este equipo",
  heading: "El flujo de código de autorización, paso a paso",
  lead: "Cada solicitud que pasa entre la aplicación, tu navegador y este servidor, con su respuesta, tal como viajó por la red.",
  demoData: "Datos de demostración",
  signInAs: "Inicia sesión como",
  clients: "Clientes",
  kinds: { confidential: "confidencial", public: "público", machine: "máquina" },
  nothingSent: "Todavía no se ha enviado nada. Inicia el flujo y su primera solicitud aparecerá aquí.",
  actions: {
    reset: "Empezar de nuevo",
    start: (client) => `Empezar como «${client}»`,
    machine: (client) => `Obtener un token como «${client}»`,
  },
};

const zh: DevWords = {
  title: "走一遍授权码流程",
  eyebrow: "演示数据，仅限本机",
  heading: "一步一步了解授权码流程",
  lead: "应用、您的浏览器与此服务器之间的每个请求及其响应，均按实际传输的样子显示。",
  demoData: "演示数据",
  signInAs: "登录用账号",
  clients: "客户端",
  kinds: { confidential: "机密", public: "公共", machine: "机器" },
  nothingSent: "尚未发送任何内容。开始流程后，第一个请求会显示在这里。",
  actions: {
    reset: "重新开始",
    start: (client) => `以“${client}”开始`,
    machine: (client) => `以“${client}”获取令牌`,
  },
};

export const devWords: Readonly<Record<Language, DevWords>> = { en, es, zh };
