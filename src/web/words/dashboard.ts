import { html, type Printable } from "../html.ts";
import type { Language } from "./language.ts";

/** The first page of the console. */
const en = {
  health: {
    title: "Health",
    overall: { fine: "All is well", caution: "Needs a look", failure: "Something fails" },
    database: { label: "Database", fine: "answers", caution: "slow", failure: "no answer" },
    key: { label: "Signing key", age: (age: string) => `${age} old`, failure: "none signs" },
    hashing: { label: "Password queue", fine: "short", caution: "long", failure: "full" },
    mail: {
      label: "Mail",
      fine: "goes out",
      caution: "piles up",
      failure: "last one failed",
      off: "switched off",
    },
    sweep: { label: "Clean-up", ago: (time: string) => `${time} ago`, pending: "not yet" },
  },
  advice: {
    database: {
      caution: "The database takes long to answer. Look at the load of its machine and at its disk.",
      failure: "The database does not answer. Nobody can sign in and no token is issued until it does.",
    },
    signing_key: {
      caution: "The signing key is old. Rotate it; nobody is signed out by that.",
      failure: "No key signs at its time. Make one now, or tokens are signed with one that is about to go.",
    },
    hashing: {
      caution:
        "Many passwords are waiting to be checked. Look for a flood of sign-ins, or give the server more processors.",
      failure:
        "So many passwords are waiting to be checked that people are turned away. Look for a flood of sign-ins.",
    },
    mail: {
      caution: "Many mails are waiting. Look at the mail server.",
      failure:
        "The last mail could not be sent. Look at the mail server and at the log; POSTERN_SMTP_URL says which it is.",
    },
    sweep: {
      caution: "Expired rows have not been looked for in a while. The log says why.",
    },
  },
  today: "Last 24 hours",
  figures: {
    tokens: "Tokens issued",
    sign_ins: "Sign-ins",
    sign_in_failures: "Failed sign-ins",
    refusals: "Refused requests",
  },
  more: (share: string) => `${share} more than the day before`,
  fewer: (share: string) => `${share} fewer than the day before`,
  same: "as many as the day before",
  before: (count: string) => `${count} the day before`,
  unusual: "more than usual",
  period: { label: "Period", day: "24 hours", week: "7 days", month: "30 days" },
  organization: { label: "Organization", all: "All of mine", show: "Show" },
  plots: {
    tokens: "Tokens issued",
    sign_ins: "Sign-ins by outcome",
    refusals: "Requests that were refused",
    moment: { day: "Hour (UTC)", week: "Six hours from (UTC)", month: "Day (UTC)" },
    table: "The same as a table",
    summary: (total: string, most: string, when: string) =>
      `${total} in all; the most, ${most}, from ${when}`,
    nothing: "None in this time",
  },
  series: {
    tokens_code: "Authorization code",
    tokens_refresh: "Refresh",
    tokens_machine: "Machines",
    sign_ins: "Successful",
    sign_in_failures: "Failed",
    refusals: "Refused",
  },
  apps: {
    title: "Who uses it",
    mine: "Your apps",
    app: "App",
    tokens: "Tokens in this time",
    none: "No app got a token in this time.",
    noneOfMine:
      "No app belongs to you yet. Ask an administrator of your organization, or of this server, for one.",
    all: "All apps",
  },
  refusals: {
    title: "Newest refusals",
    when: "When",
    reference: "Reference",
    app: "App",
    error: "Reason",
    none: "Nothing was refused lately.",
    all: "All refusals",
  },
  failures: {
    title: "Newest failed sign-ins",
    when: "When",
    who: "Who",
    from: "From",
    reason: "Reason",
    nobody: "an unknown address",
    none: "No sign-in failed lately.",
    all: "All failed sign-ins",
    reasons: {
      unknown_user: "unknown address",
      wrong_password: "wrong password",
      inactive_user: "switched off",
      throttled: "too many attempts",
      changed_meanwhile: "changed meanwhile",
    },
  },
  first: {
    title: "Three steps to the first sign-in",
    lead: "There is no app yet. As soon as one is used, its figures appear here.",
    make: {
      title: "Make an app",
      text: "It stands for one of your applications: its name, its kind, and where the browser may return to.",
      link: "Make the first app",
    },
    values: {
      title: "Put its values into your application",
      text: (path: Printable) =>
        html`The page of the app has snippets to paste. Every library that reads ${path} finds the rest by itself.`,
    },
    sign_in: {
      title: "Sign in",
      text: "Try it from the page of the app, or from your application. The token is counted here within a second.",
    },
  },
};

export type DashboardWords = typeof en;

const es: DashboardWords = {
  health: {
    title: "Salud",
    overall: { fine: "Todo va bien", caution: "Conviene mirar", failure: "Algo falla" },
    database: { label: "Base de datos", fine: "responde", caution: "lenta", failure: "sin respuesta" },
    key: { label: "Clave de firma", age: (age) => `hace ${age}`, failure: "ninguna firma" },
    hashing: { label: "Cola de contraseñas", fine: "corta", caution: "larga", failure: "llena" },
    mail: {
      label: "Correo",
      fine: "sale",
      caution: "se acumula",
      failure: "el último falló",
      off: "desactivado",
    },
    sweep: { label: "Limpieza", ago: (time) => `hace ${time}`, pending: "aún no" },
  },
  advice: {
    database: {
      caution: "La base de datos tarda en responder. Revisa la carga de su máquina y su disco.",
      failure:
        "La base de datos no responde. Hasta que lo haga nadie puede iniciar sesión ni se emiten tokens.",
    },
    signing_key: {
      caution: "La clave de firma es antigua. Rótala; nadie pierde su sesión por ello.",
      failure:
        "Ninguna clave firma en su plazo. Crea una ahora, o los tokens se firmarán con una que está a punto de desaparecer.",
    },
    hashing: {
      caution:
        "Muchas contraseñas esperan a ser comprobadas. Busca una avalancha de inicios de sesión o da más procesadores al servidor.",
      failure:
        "Esperan tantas contraseñas que se rechaza a personas. Busca una avalancha de inicios de sesión.",
    },
    mail: {
      caution: "Muchos correos esperan. Revisa el servidor de correo.",
      failure:
        "El último correo no se pudo enviar. Revisa el servidor de correo y el registro; POSTERN_SMTP_URL dice cuál es.",
    },
    sweep: {
      caution: "Hace tiempo que no se buscan filas caducadas. El registro dice por qué.",
    },
  },
  today: "Últimas 24 horas",
  figures: {
    tokens: "Tokens emitidos",
    sign_ins: "Inicios de sesión",
    sign_in_failures: "Inicios de sesión fallidos",
    refusals: "Solicitudes rechazadas",
  },
  more: (share) => `${share} más que el día anterior`,
  fewer: (share) => `${share} menos que el día anterior`,
  same: "igual que el día anterior",
  before: (count) => `el día anterior: ${count}`,
  unusual: "más de lo habitual",
  period: { label: "Periodo", day: "24 horas", week: "7 días", month: "30 días" },
  organization: { label: "Organización", all: "Todas las mías", show: "Mostrar" },
  plots: {
    tokens: "Tokens emitidos",
    sign_ins: "Inicios de sesión según su resultado",
    refusals: "Solicitudes que se rechazaron",
    moment: { day: "Hora (UTC)", week: "Seis horas desde (UTC)", month: "Día (UTC)" },
    table: "Lo mismo en una tabla",
    summary: (total, most, when) => `${total} en total; el máximo, ${most}, desde ${when}`,
    nothing: "Nada en este periodo",
  },
  series: {
    tokens_code: "Código de autorización",
    tokens_refresh: "Renovación",
    tokens_machine: "Máquinas",
    sign_ins: "Correctos",
    sign_in_failures: "Fallidos",
    refusals: "Rechazadas",
  },
  apps: {
    title: "Quién lo usa",
    mine: "Tus aplicaciones",
    app: "Aplicación",
    tokens: "Tokens en este periodo",
    none: "Ninguna aplicación obtuvo un token en este periodo.",
    noneOfMine:
      "Aún no tienes ninguna aplicación. Pide una a quien administra tu organización o este servidor.",
    all: "Todas las aplicaciones",
  },
  refusals: {
    title: "Últimos rechazos",
    when: "Cuándo",
    reference: "Referencia",
    app: "Aplicación",
    error: "Motivo",
    none: "No se ha rechazado nada últimamente.",
    all: "Todos los rechazos",
  },
  failures: {
    title: "Últimos inicios de sesión fallidos",
    when: "Cuándo",
    who: "Quién",
    from: "Desde",
    reason: "Motivo",
    nobody: "una dirección desconocida",
    none: "Últimamente no ha fallado ningún inicio de sesión.",
    all: "Todos los inicios de sesión fallidos",
    reasons: {
      unknown_user: "dirección desconocida",
      wrong_password: "contraseña incorrecta",
      inactive_user: "cuenta desactivada",
      throttled: "demasiados intentos",
      changed_meanwhile: "cambiada entretanto",
    },
  },
  first: {
    title: "Tres pasos hasta el primer inicio de sesión",
    lead: "Aún no hay ninguna aplicación. En cuanto se use una, sus cifras aparecerán aquí.",
    make: {
      title: "Crea una aplicación",
      text: "Representa a una de las tuyas: su nombre, su tipo y adónde puede volver el navegador.",
      link: "Crear la primera aplicación",
    },
    values: {
      title: "Pon sus valores en tu aplicación",
      text: (path) =>
        html`La página de la aplicación tiene fragmentos para pegar. Toda biblioteca que lea ${path} encuentra el resto por sí misma.`,
    },
    sign_in: {
      title: "Inicia sesión",
      text: "Pruébalo desde la página de la aplicación o desde la tuya. El token se cuenta aquí en menos de un segundo.",
    },
  },
};

const zh: DashboardWords = {
  health: {
    title: "运行状况",
    overall: { fine: "一切正常", caution: "需要关注", failure: "存在故障" },
    database: { label: "数据库", fine: "有响应", caution: "响应慢", failure: "无响应" },
    key: { label: "签名密钥", age: (age) => `已用 ${age}`, failure: "没有可用密钥" },
    hashing: { label: "密码校验队列", fine: "较短", caution: "较长", failure: "已满" },
    mail: { label: "邮件", fine: "正常发送", caution: "正在积压", failure: "上一封发送失败", off: "未启用" },
    sweep: { label: "清理", ago: (time) => `${time}前`, pending: "尚未进行" },
  },
  advice: {
    database: {
      caution: "数据库响应缓慢。请检查其所在机器的负载和磁盘。",
      failure: "数据库没有响应。在恢复之前，无人能够登录，也不会签发令牌。",
    },
    signing_key: {
      caution: "签名密钥已使用较久。请轮换，不会有人因此退出登录。",
      failure: "当前没有处于有效期内的签名密钥。请立即创建，否则令牌将用即将撤下的密钥签名。",
    },
    hashing: {
      caution: "有许多密码等待校验。请检查是否有大量登录请求，或为服务器增加处理器。",
      failure: "等待校验的密码过多，已有人被拒绝。请检查是否有大量登录请求。",
    },
    mail: {
      caution: "有许多邮件等待发送。请检查邮件服务器。",
      failure: "上一封邮件未能发送。请检查邮件服务器和日志；POSTERN_SMTP_URL 指明了所用的服务器。",
    },
    sweep: {
      caution: "已有一段时间没有查找过期的行。原因见日志。",
    },
  },
  today: "最近 24 小时",
  figures: {
    tokens: "已签发令牌",
    sign_ins: "登录次数",
    sign_in_failures: "登录失败次数",
    refusals: "被拒绝的请求",
  },
  more: (share) => `比前一天多 ${share}`,
  fewer: (share) => `比前一天少 ${share}`,
  same: "与前一天相同",
  before: (count) => `前一天为 ${count}`,
  unusual: "多于平常",
  period: { label: "时间范围", day: "24 小时", week: "7 天", month: "30 天" },
  organization: { label: "组织", all: "我的全部组织", show: "显示" },
  plots: {
    tokens: "已签发令牌",
    sign_ins: "登录结果",
    refusals: "被拒绝的请求",
    moment: { day: "小时（UTC）", week: "六小时时段起点（UTC）", month: "日期（UTC）" },
    table: "以表格显示",
    summary: (total, most, when) => `共 ${total}；最多为 ${most}，始于 ${when}`,
    nothing: "这段时间内没有",
  },
  series: {
    tokens_code: "授权码",
    tokens_refresh: "刷新",
    tokens_machine: "机器",
    sign_ins: "成功",
    sign_in_failures: "失败",
    refusals: "被拒绝",
  },
  apps: {
    title: "使用情况",
    mine: "您的应用",
    app: "应用",
    tokens: "这段时间的令牌",
    none: "这段时间内没有应用获得令牌。",
    noneOfMine: "您还没有应用。请向您的组织或本服务器的管理员申请。",
    all: "全部应用",
  },
  refusals: {
    title: "最新拒绝记录",
    when: "时间",
    reference: "编号",
    app: "应用",
    error: "原因",
    none: "近期没有请求被拒绝。",
    all: "全部拒绝记录",
  },
  failures: {
    title: "最新登录失败",
    when: "时间",
    who: "用户",
    from: "来源",
    reason: "原因",
    nobody: "未知地址",
    none: "近期没有登录失败。",
    all: "全部登录失败",
    reasons: {
      unknown_user: "地址不存在",
      wrong_password: "密码错误",
      inactive_user: "已停用",
      throttled: "尝试过多",
      changed_meanwhile: "期间已更改",
    },
  },
  first: {
    title: "三步完成首次登录",
    lead: "还没有应用。应用一经使用，其数据就会显示在这里。",
    make: {
      title: "创建应用",
      text: "它代表您的一个应用程序：名称、类型，以及浏览器可以返回的地址。",
      link: "创建第一个应用",
    },
    values: {
      title: "把它的值填入您的应用程序",
      text: (path) => html`应用页面提供可直接粘贴的代码片段。能读取 ${path} 的库会自行找到其余配置。`,
    },
    sign_in: {
      title: "登录",
      text: "在应用页面上试用，或从您的应用程序登录。令牌会在一秒内计入这里。",
    },
  },
};

export const dashboardWords: Readonly<Record<Language, DashboardWords>> = { en, es, zh };
