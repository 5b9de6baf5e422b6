import type { VerifyWords } from "../en/verify.ts";

export const verifyWords: VerifyWords = {
  title: "如何验证令牌",
  lead: "有效的令牌由此服务器签名、面向此 API、尚未过期，并带有该调用所需的范围。",
  kinds: {
    jose: "JavaScript 与 jose",
    fastapi: "Python 与 FastAPI、PyJWT",
    go: "Go 与 go-oidc",
    spring: "Java 与 Spring Security",
    dotnet: ".NET 与 ASP.NET Core",
    introspection: "终端与 curl：内省",
  },
  hints: {
    program: "检查签名、签发者、受众和时间；程序指定范围时也检查范围。已撤销的令牌在过期之前仍然有效。",
    jose: "API 自行验证令牌，只下载公钥。已撤销的令牌在过期前仍会通过。抛出错误时回应 401，缺少范围时回应 403。",
    introspection:
      "由此服务器验证令牌，它知道哪些已被撤销。只有当回应中 active 为 true、aud 含有此 API、并带有该调用所需的范围时，才接受令牌。",
  },
  noApp: "内省需要此 API 所列应用的密钥。目前它没有列出任何带密钥的应用。",
  bound:
    "此 API 只接受绑定到密钥的令牌：还必须检查 DPoP 请求头中的证明（RFC 9449 第 4.3 节），否则被盗的令牌也能使用。oauth4webapi 的函数 validateJwtAccessToken 会同时检查令牌和证明。",
  comments: {
    keys: "公钥：需要时下载并保留。",
    verify: "令牌不是给此 API 的，或没有该范围，就会抛出错误：",
    scope: "令牌允许做什么。",
    proof: "客户端密钥的指纹：DPoP 请求头中的证明必须由该密钥签名。",
    secret: "存放 OAUTH_CLIENT_SECRET 的文件。",
    token: "调用方发来的访问令牌。",
  },
};
