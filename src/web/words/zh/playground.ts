import { html } from "../../html/html.ts";
import type { PlaygroundWords } from "../en/playground.ts";

export const playgroundWords: PlaygroundWords = {
  lead: "从这里运行此应用的流程，并按实际传输的样子显示每个请求和响应。令牌和密钥只显示缩略形式。",
  begin: "开始",
  scopes: "要请求的范围",
  signIn: "用此应用登录",
  again: "再登录一次",
  machine: "用客户端凭据获取令牌",
  end: "结束试用",
  endMeaning: (time) => `结束时会撤销此次试用的令牌和密钥。如不结束，${time}后密钥会过期，令牌也不再保存。`,
  secretMeaning: (time) => `此按钮会为试用创建一个密钥：有效期${time}，只保存在服务器上，不会显示给任何人。`,
  consentMeaning: (account) => html`您对此应用的许可会一直有效，直到您在${account}中撤回。`,
  callback: {
    present: "试用地址在此应用的重定向 URI 中，由早先的版本添加：",
    remove: "移除",
    removeMeaning: "试用不再使用此重定向 URI。请将其移除：每个多余的 URI 都会扩大攻击面。",
  },
  done: {
    removed: "该地址已从重定向 URI 中移除。",
    ended: "试用已结束：其令牌和密钥均已撤销。",
    gone: "那次试用已经结束。请重新开始。",
  },
  unable: {
    revoked: "此应用已被撤销，没有可试用的内容。",
    inactive: "此应用已停用。重新启用后即可试用。",
    no_grants: "此应用既不允许授权码流程，也不允许客户端凭据。",
    no_scopes: "此应用没有可以请求的获准范围。",
    public_machine: "公共应用没有密钥，因此不能使用客户端凭据。",
    own_key: "此应用使用自己的密钥签名，而本服务器没有该密钥：请用 postern perform 和 --client-key 试用。",
  },
  wrongScopes: "请至少选择一个范围。",
};
