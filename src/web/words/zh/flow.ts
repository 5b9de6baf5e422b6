import type { FlowWords } from "../en/flow.ts";

export const flowWords: FlowWords = {
  stepsLabel: "步骤",
  next: "接下来？",
  request: "请求",
  answer: "响应",
  decoded: { access_token: "访问令牌的声明", id_token: "ID 令牌的声明" },
  meanings: "各参数的作用",
  actions: {
    token: "用授权码换取令牌",
    userinfo: "询问登录者是谁（userinfo）",
    introspect: "内省令牌",
    refresh: "刷新",
    revoke: "撤销",
  },
  steps: {
    push: {
      title: "预先推送请求",
      explanation: "此应用由其服务器直接提交请求，并得到一个只对一次登录有效的引用。请求的内容不经过浏览器。",
    },
    start: {
      title: "应用将浏览器带到服务器",
      explanation: "应用将浏览器带到这里。code_challenge 是应用自己保管的一个秘密的哈希值。",
    },
    callback: {
      title: "浏览器带着授权码返回",
      explanation:
        "浏览器带着授权码回到应用。该授权码只能使用一次，有效期很短；没有 challenge 背后的秘密，它毫无用处。",
    },
    refused: {
      title: "浏览器带着错误返回",
      explanation: "浏览器没有带授权码就回到了应用：要么用户拒绝了，要么请求有误。错误信息会说明是哪一种。",
    },
    foreign: {
      title: "浏览器带回的是对别的请求的响应",
      explanation: "state 或签发者与所发送的请求不符，因此应用不得使用此响应。",
    },
    token: {
      title: "用授权码换取令牌",
      explanation: "应用将授权码和那个秘密直接发送给服务器，不经过浏览器，并得到令牌。",
    },
    machine: {
      title: "机器获取令牌",
      explanation: "没有用户参与：客户端用自己的密钥证明身份，得到属于自己的令牌。",
    },
    userinfo: {
      title: "应用请求用户的声明",
      explanation: "应用发送访问令牌，得到用户在已授予范围内的声明。",
    },
    introspect: {
      title: "令牌有效吗？",
      explanation: "收到令牌的 API 可以询问服务器：它是否有效，能用来做什么。",
    },
    refresh: {
      title: "用刷新令牌换取新令牌",
      explanation: "刷新令牌无需用户参与即可换取新令牌，它自身也会被更换：刚用过的那个已经失效。",
    },
    revoke: {
      title: "撤销令牌",
      explanation: "应用撤销令牌。响应总是 200。内省该令牌即可看到它已失效。",
    },
  },
  parameters: {
    response_type: "请求的是什么：code 表示一次性授权码，由应用自己换取令牌。",
    client_id: "标识应用。它不是秘密。",
    redirect_uri: "浏览器带着响应前往的地址。必须与已登记的地址之一逐字符相同。",
    scope: "应用希望获准做的事；会征求用户的意见。",
    state: "为此请求随机生成，原样返回，应用据此认出自己的响应。",
    nonce: "同样随机生成；它会出现在 id_token 中，将其与此请求绑定。",
    code_challenge: "code_verifier 的 SHA-256 哈希值：没有它，窃取授权码的人也无法换取令牌。",
    code_challenge_method: "challenge 的生成方式；这里只接受 S256。",
    request_uri: "代表之前推送的请求；只对一次登录有效，并且只属于此应用。",
    resource: "访问令牌所面向的 API；它会成为令牌的受众。",
    code: "一次性授权码，只能换取一次。",
    iss: "作出响应的是哪个服务器；应用会将它与自己询问的服务器比对（RFC 9207）。",
    error: "哪里出了问题，供程序识别的代码。",
    error_description: "同样的内容，写给开发者的一句话。",
  },
};
