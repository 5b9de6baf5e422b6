import type { WebhookWords } from "../en/webhooks.ts";

export const webhookWords: WebhookWords = {
  ping: "发送测试事件",
  testEvent: "测试事件",
  rotateSecret: "更换密钥",
  activate: "重新启用",
  stopped: (position) => `该端点已收到位置 ${position} 及之前的所有事件，之后的事件已保留。`,
  resumeKept: "从停止处继续",
  resumeNow: "从新事件开始",
  replay: "重新发送事件",
  replayLead: "指定一个事件、时间（UTC）或位置；最多发送 1000 个事件。接收方通过 webhook-id 识别它们。",
  eventId: "事件",
  since: "从此时间起",
  after: "此位置之后",
  ofType: "类型",
  sendAgain: "重新发送",
  verify: "如何验证请求",
  verifyLead: "在解析之前，按发送时的原样验证请求体。保存 webhook-id 以识别重复事件。",
  kinds: { node: "使用 Node 的 JavaScript", python: "使用 Python", go: "使用 Go" },
};
