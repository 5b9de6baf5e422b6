import type { Language } from "./language.ts";

const en = {
  title: "Walk through the code flow",
  eyebrow: "Demo data, on this machine only",
  heading: "The authorization code flow, one step at a time",
  lead: "Every request that passes between the application, your browser and this server, with its answer, as it went over the wire.",
  demoData: "Demo data",
  signInAs: "Sign in as",
  clients: "Clients",
  kinds: { confidential: "confidential", public: "public", machine: "machine" },
  stepsLabel: "Steps",
  next: "What next?",
  nothingSent: "Nothing has been sent yet. Start the flow, and its first request appears here.",
  request: "Request",
  answer: "Answer",
  decoded: "What the token says",
  actions: {
    token: "Exchange the code for tokens",
    userinfo: "Ask who signed in (userinfo)",
    introspect: "Ask whether the token is active",
    refresh: "Refresh",
    revoke: "Revoke",
    reset: "Begin anew",
    start: (client: string) => `Start as “${client}”`,
    machine: (client: string) => `Get a token as “${client}”`,
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
};

export type DevWords = typeof en;

const es: DevWords = {
  title: "Recorrer el flujo de código",
  eyebrow: "Datos de demostración, solo en este equipo",
  heading: "El flujo de código de autorización, paso a paso",
  lead: "Cada solicitud que pasa entre la aplicación, tu navegador y este servidor, con su respuesta, tal como viajó por la red.",
  demoData: "Datos de demostración",
  signInAs: "Inicia sesión como",
  clients: "Clientes",
  kinds: { confidential: "confidencial", public: "público", machine: "máquina" },
  stepsLabel: "Pasos",
  next: "¿Y ahora?",
  nothingSent: "Todavía no se ha enviado nada. Inicia el flujo y su primera solicitud aparecerá aquí.",
  request: "Solicitud",
  answer: "Respuesta",
  decoded: "Lo que dice el token",
  actions: {
    token: "Canjear el código por tokens",
    userinfo: "Preguntar quién ha iniciado sesión (userinfo)",
    introspect: "Preguntar si el token está activo",
    refresh: "Renovar",
    revoke: "Revocar",
    reset: "Empezar de nuevo",
    start: (client) => `Empezar como «${client}»`,
    machine: (client) => `Obtener un token como «${client}»`,
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
};

const zh: DevWords = {
  title: "走一遍授权码流程",
  eyebrow: "演示数据，仅限本机",
  heading: "一步一步了解授权码流程",
  lead: "应用、您的浏览器与此服务器之间的每个请求及其响应，均按实际传输的样子显示。",
  demoData: "演示数据",
  signInAs: "登录用账号",
  clients: "客户端",
  kinds: { confidential: "机密", public: "公共", machine: "机器" },
  stepsLabel: "步骤",
  next: "接下来？",
  nothingSent: "尚未发送任何内容。开始流程后，第一个请求会显示在这里。",
  request: "请求",
  answer: "响应",
  decoded: "令牌的内容",
  actions: {
    token: "用授权码换取令牌",
    userinfo: "询问登录者是谁（userinfo）",
    introspect: "询问令牌是否有效",
    refresh: "刷新",
    revoke: "撤销",
    reset: "重新开始",
    start: (client) => `以“${client}”开始`,
    machine: (client) => `以“${client}”获取令牌`,
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
};

export const devWords: Readonly<Record<Language, DevWords>> = { en, es, zh };
