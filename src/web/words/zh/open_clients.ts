import type { OpenClientsWords } from "../en/open_clients.ts";
import { plural } from "./plural.ts";

export const openClientsWords: OpenClientsWords = {
  title: "开放客户端",
  lead: "无人在此注册的客户端：它们带着自己的文档而来，或自行注册。无人使用的会自动离开。",
  count: plural({ other: (figure) => `${figure} 个客户端` }),
  choose: "选择",
  client: "客户端",
  origin: "来源",
  came: "到来时间",
  used: "最近的令牌",
  never: "从未",
  people: "人数",
  unknown: "未知",
  none: "没有自行接入的客户端",
  noneLead: "启用 Model Context Protocol 配置并有 API 对其开放时，客户端才会到来。",
  older: "更早的",
  remove: "删除所选",
  removeUnused: "删除所有从未使用的",
  nothingChosen: "请至少选择一个客户端。",
  confirmTitle: "删除这些客户端？",
  confirmLead: "它们的令牌立即失效，用户的授权也会被忘记。再次到来的客户端会重新开始。",
  confirmUnused: "从未获得令牌且无人授权的开放客户端都会被删除。",
  confirm: "删除",
  cancel: "保留",
  removed: plural({ other: (figure) => `已删除 ${figure} 个客户端。` }),
};
