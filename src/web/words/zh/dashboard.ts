import { html } from "../../html/html.ts";
import type { DashboardWords } from "../en/dashboard.ts";

export const dashboardWords: DashboardWords = {
  health: {
    title: "运行状况",
    overall: { fine: "一切正常", caution: "需要关注", failure: "存在故障" },
    database: { label: "数据库", fine: "有响应", caution: "响应慢", failure: "无响应" },
    key: { label: "签名密钥", age: (age) => `已用 ${age}`, failure: "没有可用密钥" },
    addresses: { label: "客户端地址" },
    hashing: { label: "登录负载", fine: "正常", caution: "较高", failure: "过高" },
    mail: { label: "邮件", fine: "正常发送", caution: "正在积压", failure: "上一封发送失败", off: "未启用" },
    sweep: { label: "清理", ago: (time) => `${time}前`, pending: "尚未进行" },
  },
  advice: {
    database: {
      caution: "数据库响应缓慢。请检查其所在机器的负载和磁盘。",
      failure: "数据库没有响应。在恢复之前，无人能够登录，也不会签发令牌。",
    },
    signing_key: {
      caution: "签名密钥已使用较久。请轮换，用户会保持登录。",
      failure: "当前没有处于有效期内的签名密钥。请立即创建，否则令牌将用即将撤下的密钥签名。",
    },
    addresses: {
      caution:
        "几乎所有请求都来自此地址，它看起来是您的代理。请在 POSTERN_TRUST_PROXY 中填写该地址，并让代理发送 X-Forwarded-For；在此之前，所有用户共用同一个地址的限额。",
    },
    hashing: {
      caution: "有许多密码等待校验。请检查是否有大量登录请求，或为服务器增加处理器。",
      failure: "等待校验的密码过多，用户已无法登录。请检查是否有大量登录请求。",
    },
    no_mail: {
      caution:
        "用户可以添加通行密钥或身份验证器应用，但此服务器不发送邮件：在新的浏览器中需要等待，添加后也不会收到通知。请设置 POSTERN_SMTP_URL 和 POSTERN_MAIL_FROM。",
    },
    mail: {
      caution: "有许多邮件等待发送。请检查邮件服务器。",
      failure: "上一封邮件未能发送。请检查邮件服务器和日志（POSTERN_SMTP_URL 指定的服务器）。",
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
    refusals: "失败的请求",
  },
  more: (share) => `比前一天多 ${share}`,
  fewer: (share) => `比前一天少 ${share}`,
  same: "与前一天相同",
  before: (count) => `前一天为 ${count}`,
  unusual: "多于平常",
  period: { label: "时间范围", day: "24 小时", week: "7 天", month: "30 天" },
  plots: {
    tokens: "已签发令牌",
    sign_ins: "登录结果",
    refusals: "失败的请求",
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
    refusals: "失败",
  },
  apps: {
    title: "最常用的应用",
    mine: "您的应用",
    app: "应用",
    tokens: "令牌",
    none: "这段时间内没有应用获得令牌。",
    noneOfMine: "您还没有应用。请向您的组织或本服务器的管理员申请。",
    all: "全部应用",
  },
  refusals: {
    title: "最新失败的请求",
    when: "时间",
    reference: "编号",
    app: "应用",
    error: "原因",
    none: "近期没有失败的请求。",
    all: "全部失败的请求",
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
      wrong_passkey: "通行密钥错误",
      wrong_totp: "身份验证器应用的验证码错误",
      wrong_recovery_code: "恢复代码错误",
      wrong_mail_code: "邮件验证码错误",
      unproved: "通行密钥或提供方未能确认",
      inactive_user: "已停用",
      throttled: "尝试过多",
      changed_meanwhile: "账号在登录期间被更改",
      foreign_password_over: "导入的密码已停用",
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
