import { html } from "../../html/html.ts";
import type { ConsentWords } from "../en/consent.ts";
import { plural } from "./plural.ts";

export const consentWords: ConsentWords = {
  title: (client) => `允许 ${client}？`,
  heading: (client) => html`允许 ${client} 使用您的账号吗？`,
  unverified: "此应用运行在您自己的设备上，无法核实其身份。仅当这是您自己启动的应用时才继续。",
  able: "它将能够",
  allowedBefore: "此前已允许",
  ownWords: "由该应用描述",
  undescribed: "未提供说明",
  organization: "组织",
  details: "关于您的信息",
  as: "当前登录账号",
  registeredBy: "注册者",
  beforeNow: "上次使用",
  neverUsed: "从未用于此账号",
  goesTo: "随后返回到",
  moreScopes: plural({ other: (figure) => `还有 ${figure} 项` }),
  website: "网站",
  policy: "隐私政策",
  terms: "服务条款",
  deny: "拒绝",
  allow: "允许",
};
