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
  is: "此应用就是以下 API，并内省它们的令牌",
};
