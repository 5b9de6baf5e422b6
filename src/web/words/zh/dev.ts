import type { DevWords } from "../en/dev.ts";

export const devWords: DevWords = {
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
