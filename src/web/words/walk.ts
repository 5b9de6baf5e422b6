import type { Language } from "./language.ts";

/** What is said about the requests of a client and their answers, one after the other. */
const en = {
  stepsLabel: "Steps",
  next: "What next?",
  request: "Request",
  answer: "Answer",
  decoded: { access_token: "What the access token says", id_token: "What the id_token says" },
  meanings: "What each parameter is for",
  actions: {
    token: "Exchange the code for tokens",
    userinfo: "Ask who signed in (userinfo)",
    introspect: "Ask whether the token is active",
    refresh: "Refresh",
    revoke: "Revoke",
  },
  steps: {
    start: {
      title: "The application sends the browser to the server",
      explanation:
        "The application sends the browser here. The code_challenge is the hash of a secret that the application keeps to itself.",
    },
    callback: {
      title: "The browser comes back with a code",
      explanation:
        "The browser came back to the application with a code that is good once, for a minute, and useless without the secret behind the challenge.",
    },
    refused: {
      title: "The browser comes back with an error",
      explanation:
        "The browser came back to the application without a code: the person said no, or the request was not in order. The error says which.",
    },
    foreign: {
      title: "The browser comes back with an answer to something else",
      explanation:
        "The state or the issuer is not that of the request that was sent, so that the application must not use this answer.",
    },
    token: {
      title: "The code is exchanged for tokens",
      explanation:
        "The application sends the code and that secret, straight to the server and not through the browser, and gets its tokens.",
    },
    machine: {
      title: "A machine gets a token",
      explanation:
        "No person takes part: the client proves itself with its secret and gets a token of its own.",
    },
    userinfo: {
      title: "The application asks who signed in",
      explanation:
        "With the access token the application asks who signed in. It gets the claims of the scopes that were granted.",
    },
    introspect: {
      title: "Is the token active?",
      explanation:
        "Whoever is handed a token can ask the server whether it is alive, and what it is good for.",
    },
    refresh: {
      title: "The refresh token buys new tokens",
      explanation:
        "The refresh token buys new tokens without the person, and is itself exchanged: the one just used is spent.",
    },
    revoke: {
      title: "The tokens are given back",
      explanation:
        "The application gives the token back. The answer is always 200; ask now whether the token is active.",
    },
  },
  parameters: {
    response_type:
      "What is asked for: code is a one-time code, which the application exchanges for tokens itself.",
    client_id: "Which application asks. Everybody may know it.",
    redirect_uri:
      "Where the browser goes with the answer. It must be one of those registered, character by character.",
    scope: "What the application would like to be allowed; the person is asked about it.",
    state:
      "Drawn at random for this request; it comes back unchanged, so that the application knows its own answer.",
    nonce: "Drawn at random too; it comes back inside the id_token and ties it to this request.",
    code_challenge:
      "The SHA-256 hash of the code_verifier: whoever steals the code cannot exchange it without that.",
    code_challenge_method: "How the challenge was made; S256 is the one way that is accepted here.",
    resource: "The API that the access token is to be for; it becomes the audience of the token.",
    code: "The one-time code. It is exchanged within a minute and never again.",
    iss: "Which server answers; the application compares it with the one it asked (RFC 9207).",
    error: "What went wrong, as a word for programs.",
    error_description: "The same as a sentence for the developer.",
  },
};

export type WalkWords = typeof en;

const es: WalkWords = {
  stepsLabel: "Pasos",
  next: "¿Y ahora?",
  request: "Solicitud",
  answer: "Respuesta",
  decoded: { access_token: "Lo que dice el token de acceso", id_token: "Lo que dice el id_token" },
  meanings: "Para qué sirve cada parámetro",
  actions: {
    token: "Canjear el código por tokens",
    userinfo: "Preguntar quién ha iniciado sesión (userinfo)",
    introspect: "Preguntar si el token está activo",
    refresh: "Renovar",
    revoke: "Revocar",
  },
  steps: {
    start: {
      title: "La aplicación envía el navegador al servidor",
      explanation:
        "La aplicación envía aquí el navegador. El code_challenge es el hash de un secreto que la aplicación se guarda para sí.",
    },
    callback: {
      title: "El navegador vuelve con un código",
      explanation:
        "El navegador ha vuelto a la aplicación con un código que vale una sola vez, durante un minuto, y que no sirve sin el secreto que hay detrás del challenge.",
    },
    refused: {
      title: "El navegador vuelve con un error",
      explanation:
        "El navegador ha vuelto a la aplicación sin código: la persona dijo que no, o la solicitud no estaba en orden. El error dice cuál de las dos cosas.",
    },
    foreign: {
      title: "El navegador vuelve con la respuesta a otra cosa",
      explanation:
        "El state o el emisor no es el de la solicitud enviada, así que la aplicación no debe usar esta respuesta.",
    },
    token: {
      title: "El código se canjea por tokens",
      explanation:
        "La aplicación envía el código y ese secreto directamente al servidor, sin pasar por el navegador, y recibe sus tokens.",
    },
    machine: {
      title: "Una máquina obtiene un token",
      explanation:
        "No interviene ninguna persona: el cliente se acredita con su secreto y obtiene un token propio.",
    },
    userinfo: {
      title: "La aplicación pregunta quién ha iniciado sesión",
      explanation:
        "Con el token de acceso, la aplicación pregunta quién ha iniciado sesión. Recibe los claims de los scopes concedidos.",
    },
    introspect: {
      title: "¿Está activo el token?",
      explanation: "Quien recibe un token puede preguntar al servidor si sigue vivo y para qué sirve.",
    },
    refresh: {
      title: "El refresh token consigue tokens nuevos",
      explanation:
        "El refresh token consigue tokens nuevos sin la persona, y él mismo se sustituye: el que se acaba de usar queda gastado.",
    },
    revoke: {
      title: "Los tokens se devuelven",
      explanation:
        "La aplicación devuelve el token. La respuesta siempre es 200; pregunta ahora si el token está activo.",
    },
  },
  parameters: {
    response_type:
      "Qué se pide: code es un código de un solo uso que la propia aplicación canjea por tokens.",
    client_id: "Qué aplicación pregunta. Puede saberlo cualquiera.",
    redirect_uri:
      "Adónde va el navegador con la respuesta. Debe ser una de las registradas, carácter por carácter.",
    scope: "Lo que la aplicación querría poder hacer; se le pregunta a la persona.",
    state:
      "Sacado al azar para esta solicitud; vuelve sin cambios, y así la aplicación reconoce su propia respuesta.",
    nonce: "También sacado al azar; vuelve dentro del id_token y lo ata a esta solicitud.",
    code_challenge: "El hash SHA-256 del code_verifier: quien robe el código no podrá canjearlo sin él.",
    code_challenge_method: "Cómo se hizo el challenge; S256 es la única forma que se acepta aquí.",
    resource: "La API para la que será el token de acceso; pasa a ser la audiencia del token.",
    code: "El código de un solo uso. Se canjea en menos de un minuto y nunca más.",
    iss: "Qué servidor responde; la aplicación lo compara con aquel al que preguntó (RFC 9207).",
    error: "Qué ha fallado, en una palabra para programas.",
    error_description: "Lo mismo, en una frase para quien desarrolla.",
  },
};

const zh: WalkWords = {
  stepsLabel: "步骤",
  next: "接下来？",
  request: "请求",
  answer: "响应",
  decoded: { access_token: "访问令牌的内容", id_token: "id_token 的内容" },
  meanings: "各参数的作用",
  actions: {
    token: "用授权码换取令牌",
    userinfo: "询问登录者是谁（userinfo）",
    introspect: "询问令牌是否有效",
    refresh: "刷新",
    revoke: "撤销",
  },
  steps: {
    start: {
      title: "应用将浏览器带到服务器",
      explanation: "应用将浏览器带到这里。code_challenge 是应用自己保管的一个秘密的哈希值。",
    },
    callback: {
      title: "浏览器带着授权码返回",
      explanation:
        "浏览器带着授权码回到应用。该授权码只能使用一次，有效期一分钟；没有 challenge 背后的秘密，它毫无用处。",
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
      title: "应用询问登录者是谁",
      explanation: "应用用访问令牌询问登录者是谁，得到已授予范围所对应的声明。",
    },
    introspect: {
      title: "令牌有效吗？",
      explanation: "收到令牌的一方可以询问服务器：它是否有效，能用来做什么。",
    },
    refresh: {
      title: "用刷新令牌换取新令牌",
      explanation: "刷新令牌无需用户参与即可换取新令牌，它自身也会被更换：刚用过的那个已经失效。",
    },
    revoke: {
      title: "归还令牌",
      explanation: "应用归还令牌。响应总是 200；现在可以再问一次令牌是否有效。",
    },
  },
  parameters: {
    response_type: "请求的是什么：code 表示一次性授权码，由应用自己换取令牌。",
    client_id: "提出请求的是哪个应用。任何人都可以知道它。",
    redirect_uri: "浏览器带着响应前往的地址。必须与已登记的地址之一逐字符相同。",
    scope: "应用希望获准做的事；会征求用户的意见。",
    state: "为此请求随机生成，原样返回，应用据此认出自己的响应。",
    nonce: "同样随机生成；它会出现在 id_token 中，将其与此请求绑定。",
    code_challenge: "code_verifier 的 SHA-256 哈希值：没有它，窃取授权码的人也无法换取令牌。",
    code_challenge_method: "challenge 的生成方式；这里只接受 S256。",
    resource: "访问令牌所面向的 API；它会成为令牌的受众。",
    code: "一次性授权码。须在一分钟内换取，且不能再次使用。",
    iss: "作出响应的是哪个服务器；应用会将它与自己询问的服务器比对（RFC 9207）。",
    error: "哪里出了问题，供程序识别的代码。",
    error_description: "同样的内容，写给开发者的一句话。",
  },
};

export const walkWords: Readonly<Record<Language, WalkWords>> = { en, es, zh };
