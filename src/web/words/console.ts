import type { Language } from "./language.ts";

/** What stands around every page of the console. */
const en = {
  title: "Console",
  dashboard: "Dashboard",
  housekeeping: "Housekeeping",
  sections: {
    overview: "Overview",
    clients: "Applications",
    people: "People",
    machines: "Machines",
    activity: "Activity",
    server: "Server",
  },
};

export type ConsoleWords = typeof en;

const es: ConsoleWords = {
  title: "Consola",
  dashboard: "Panel",
  housekeeping: "Mantenimiento",
  sections: {
    overview: "Resumen",
    clients: "Aplicaciones",
    people: "Personas",
    machines: "Máquinas",
    activity: "Actividad",
    server: "Servidor",
  },
};

const zh: ConsoleWords = {
  title: "控制台",
  dashboard: "仪表盘",
  housekeeping: "日常维护",
  sections: {
    overview: "概览",
    clients: "应用",
    people: "人员",
    machines: "机器",
    activity: "活动",
    server: "服务器",
  },
};

export const consoleWords: Readonly<Record<Language, ConsoleWords>> = { en, es, zh };
