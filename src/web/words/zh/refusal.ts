import type { RefusalWords } from "../en/refusal.ts";
import { evidenceWords, factWords } from "./evidence.ts";
import { plural } from "./plural.ts";

export const refusalWords: RefusalWords = {
  title: (short_id) => `拒绝记录 ${short_id}`,
  facts: {
    description: "发送给请求方的消息",
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
  nothingMore: "没有记录更多详情。",
  unknownKind: "有一个值与期望不符",
  received: "收到",
  expected: "期望",
  nothing: "没有",
  notShown: "可能是机密，不予显示",
  differsFrom: (position) => `从第 ${position} 个字符起不同。`,
  endsEarly: "收到的值提前结束。",
  endsLate: "收到的值末尾有多余的字符。",
  sameAsShown: "在所保留的部分内两者相同。",
  beyond: (names) => `不在所期望之中：${names}。`,
  lacking: (names) => `缺少：${names}。`,
  characters: plural({ other: (figure) => `${figure} 个字符` }),
  range: (least, most) => `${least} 到 ${most}`,
  atMost: "最多",
  todo: "处理办法",
  unknown: {
    title: "未找到拒绝记录",
    lead: "您看不到使用此参考编号的拒绝记录。可能的原因：",
    reasons: {
      mistyped: "输入或复制有误",
      expired: "已过期：拒绝记录只保留数日",
      flood: "当时被拒绝的请求太多，未予保存",
      elsewhere: "它属于您不管理的应用，或不属于任何应用；平台管理员可以查看",
    },
    list: "您可以查看的全部拒绝记录",
  },
  kinds: evidenceWords,
  receivedFacts: factWords,
};
