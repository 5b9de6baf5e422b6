import { pluralRules } from "../formats.ts";
import type { Language } from "./language.ts";
import { type EvidenceWords, evidenceInEnglish, type FactWords, factsInEnglish } from "./refusal_en.ts";
import { evidenceInSpanish, factsInSpanish } from "./refusal_es.ts";
import { evidenceInChinese, factsInChinese } from "./refusal_zh.ts";

interface RefusalWords {
  readonly title: (short_id: string) => string;
  readonly facts: Readonly<
    Record<
      "description" | "endpoint" | "app" | "user" | "when" | "until" | "from" | "agent" | "request" | "id",
      string
    >
  >;
  /** There is none. */
  readonly nothingMore: string;
  readonly unknownKind: string;
  readonly received: string;
  readonly expected: string;
  readonly nothing: string;
  readonly notShown: string;
  /** From which character on the two differ, the first being 1. */
  readonly differsFrom: (position: number) => string;
  readonly endsEarly: string;
  readonly endsLate: string;
  readonly sameAsShown: string;
  readonly beyond: (names: string) => string;
  readonly lacking: (names: string) => string;
  readonly characters: (count: number) => string;
  readonly characterRange: (least: string, most: string) => string;
  /** Before a figure. */
  readonly atMost: string;
  readonly todo: string;
  readonly unknown: {
    readonly title: string;
    readonly lead: string;
    readonly reasons: Readonly<Record<"mistyped" | "expired" | "flood" | "elsewhere", string>>;
    readonly list: string;
  };
  readonly kinds: EvidenceWords;
  readonly receivedFacts: FactWords;
}

const ordinal = new Map([
  ["one", "st"],
  ["two", "nd"],
  ["few", "rd"],
  ["other", "th"],
]);

const ordinalInEnglish = (count: number) =>
  `${count}${ordinal.get(pluralRules("en", { type: "ordinal" }).select(count)) ?? "th"}`;

const en: RefusalWords = {
  title: (short_id) => `Refusal ${short_id}`,
  facts: {
    description: "What the caller was told",
    endpoint: "Endpoint",
    app: "App",
    user: "Signed in",
    when: "When",
    until: "Kept until",
    from: "From",
    agent: "With",
    request: "Request",
    id: "Id",
  },
  nothingMore: "Nothing more was noted about it.",
  unknownKind: "Something was not as expected",
  received: "Received",
  expected: "Expected",
  nothing: "nothing",
  notShown: "not shown, since it may be secret",
  differsFrom: (position) => `Differs from the ${ordinalInEnglish(position)} character on.`,
  endsEarly: "What was received ends earlier.",
  endsLate: "What was received goes on where the expected one ends.",
  sameAsShown: "As far as it is kept both are the same.",
  beyond: (names) => `Not among what was expected: ${names}.`,
  lacking: (names) => `Lacking: ${names}.`,
  characters: (count) => (count === 1 ? "1 character" : `${count} characters`),
  characterRange: (least, most) => `${least} to ${most} characters`,
  atMost: "at most",
  todo: "What to do",
  unknown: {
    title: "No such refusal here",
    lead: "Nothing is kept under this reference that you may see. That has one of these reasons:",
    reasons: {
      mistyped: "it was typed or copied wrongly: it has 10 digits and letters",
      expired: "it has expired: refusals are kept for some days only",
      flood: "it came while too many requests were being refused to keep them all",
      elsewhere:
        "it concerns an app that others look after, or no app at all: then platform administrators can see it",
    },
    list: "All refusals you can see",
  },
  kinds: evidenceInEnglish,
  receivedFacts: factsInEnglish,
};

const es: RefusalWords = {
  title: (short_id) => `Rechazo ${short_id}`,
  facts: {
    description: "Lo que se comunicó",
    endpoint: "Punto de acceso",
    app: "Aplicación",
    user: "Sesión de",
    when: "Cuándo",
    until: "Se guarda hasta",
    from: "Desde",
    agent: "Con",
    request: "Solicitud",
    id: "Id.",
  },
  nothingMore: "No se anotó nada más sobre ello.",
  unknownKind: "Algo no era como se esperaba",
  received: "Recibido",
  expected: "Esperado",
  nothing: "nada",
  notShown: "no se muestra, porque puede ser secreto",
  differsFrom: (position) => `Difiere a partir del carácter ${position}.`,
  endsEarly: "Lo recibido termina antes.",
  endsLate: "Lo recibido continúa donde termina lo esperado.",
  sameAsShown: "Hasta donde se guarda, ambos son iguales.",
  beyond: (names) => `No está entre lo esperado: ${names}.`,
  lacking: (names) => `Falta: ${names}.`,
  characters: (count) => (count === 1 ? "1 carácter" : `${count} caracteres`),
  characterRange: (least, most) => `de ${least} a ${most} caracteres`,
  atMost: "como mucho",
  todo: "Qué hacer",
  unknown: {
    title: "Aquí no hay tal rechazo",
    lead: "Con esta referencia no se guarda nada que puedas ver. Puede deberse a lo siguiente:",
    reasons: {
      mistyped: "se escribió o copió mal: tiene 10 cifras y letras",
      expired: "ha caducado: los rechazos se guardan solo unos días",
      flood: "llegó cuando se rechazaban demasiadas solicitudes para guardarlas todas",
      elsewhere:
        "afecta a una aplicación que gestionan otros, o a ninguna: entonces pueden verlo los administradores de la plataforma",
    },
    list: "Todos los rechazos que puedes ver",
  },
  kinds: evidenceInSpanish,
  receivedFacts: factsInSpanish,
};

const zh: RefusalWords = {
  title: (short_id) => `拒绝记录 ${short_id}`,
  facts: {
    description: "告知对方的内容",
    endpoint: "端点",
    app: "应用",
    user: "登录者",
    when: "时间",
    until: "保留至",
    from: "来源地址",
    agent: "客户端",
    request: "请求编号",
    id: "编号",
  },
  nothingMore: "没有记录更多内容。",
  unknownKind: "有内容与所期望的不符",
  received: "收到",
  expected: "期望",
  nothing: "没有",
  notShown: "可能是机密，不予显示",
  differsFrom: (position) => `从第 ${position} 个字符起不同。`,
  endsEarly: "收到的内容提前结束。",
  endsLate: "收到的内容比所期望的更长。",
  sameAsShown: "在所保留的部分内两者相同。",
  beyond: (names) => `不在所期望之中：${names}。`,
  lacking: (names) => `缺少：${names}。`,
  characters: (count) => `${count} 个字符`,
  characterRange: (least, most) => `${least} 到 ${most} 个字符`,
  atMost: "最多",
  todo: "处理办法",
  unknown: {
    title: "此处没有这条拒绝记录",
    lead: "此参考编号下没有您可以查看的内容，原因是以下之一：",
    reasons: {
      mistyped: "输入或复制有误：它由 10 个数字和字母组成",
      expired: "已过期：拒绝记录只保留数日",
      flood: "当时被拒绝的请求太多，未能全部保留",
      elsewhere: "它涉及由他人管理的应用，或不涉及任何应用：此时平台管理员可以查看",
    },
    list: "您可以查看的全部拒绝记录",
  },
  kinds: evidenceInChinese,
  receivedFacts: factsInChinese,
};

export const refusalWords: Readonly<Record<Language, RefusalWords>> = { en, es, zh };
