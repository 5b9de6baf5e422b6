import type { AppApisWords } from "../en/app_apis.ts";
import { plural } from "./plural.ts";

export const appApisWords: AppApisWords = {
  title: "相关 API",
  asks: "可以请求以下 API 的令牌",
  why: {
    listed: "列在此应用中",
    registered: "向已注册的应用开放",
    any: "向任何客户端开放",
    off: "列在此应用中，但已停用：得不到令牌",
  },
  more: plural({ other: (figure) => `还有 ${figure} 个` }),
  is: "此应用就是以下 API，可内省其令牌",
  risk: {
    open_without_scopes: "任何客户端都可以请求此 API，而它没有范围：令牌不会说明客户端可以做什么。",
    open_default_writes: (scopes) =>
      `任何客户端不请求也会得到 ${scopes}。请从默认范围中去掉会改动内容的范围。`,
    dpop_off:
      "没有客户端能得到此 API 的令牌：它只接受绑定到密钥的令牌，而此服务器未启用 DPoP（POSTERN_EXTRA_FEATURES=dpop）。",
    public_introspection: (apps) => `${apps} 无法内省它的令牌：公开应用没有可用来证明自己的密钥。`,
  },
};
