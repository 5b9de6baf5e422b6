import type { RefusalWords } from "../en/refusal.ts";
import { evidenceWords, factWords } from "./evidence.ts";
import { plural } from "./plural.ts";

export const refusalWords: RefusalWords = {
  title: (short_id) => `拒绝记录 ${short_id}`,
  facts: {
    description: "告知对方的内容",
    endpoint: "端点",
    app: "应用",
    user: "登录者",
    when: "时间",
    until: "保留至",
    from: "IP 地址",
    agent: "浏览器或程序",
    request: "请求编号",
    id: "记录 ID",
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
  characters: plural({ other: (figure) => `${figure} 个字符` }),
  range: (least, most) => `${least} 到 ${most}`,
  atMost: "最多",
  todo: "处理办法",
  unknown: {
    title: "此处没有这条拒绝记录",
    lead: "此参考编号下没有您可以查看的内容，原因是以下之一：",
    reasons: {
      mistyped: "输入或复制有误",
      expired: "已过期：拒绝记录只保留数日",
      flood: "当时被拒绝的请求太多，未能全部保留",
      elsewhere: "它涉及由他人管理的应用，或不涉及任何应用：此时平台管理员可以查看",
    },
    list: "您可以查看的全部拒绝记录",
  },
  kinds: evidenceWords,
  receivedFacts: factWords,
};
