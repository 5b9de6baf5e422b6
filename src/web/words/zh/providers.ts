import { html, type Printable } from "../../html/html.ts";
import type { ProviderWords } from "../en/providers.ts";

export const providerWords: ProviderWords = {
  continueWith: (provider: string) => `使用 ${provider} 继续`,
  lastUsed: "上次使用",
  or: "或",
  otherWays: "其他登录方式",
  tryAgain: "重试",
  begin: (provider: string) => `使用 ${provider} 登录`,
  back: "返回",
  reference: "供管理员使用",
  newAccount: {
    title: "创建您的账号",
    lead: (provider: Printable) => html`您已通过 ${provider} 登录，但在这里还没有账号。将创建以下账号：`,
    email: "电子邮箱",
    provider: "登录方式",
    account: "对方账号",
    memberOf: "所属组织",
    byLink: (organization) =>
      html`您收到了加入 ${organization} 的邀请。创建账号后，请打开邀请邮件中的链接以加入。`,
    name: "姓名",
    nameError: "请输入姓名。",
    emailError: "此服务器的账号不能使用该邮箱地址。请用其他方式登录。",
    submit: "创建账号",
    cancel: "取消",
    existing: "我已有账号",
  },
  prove: {
    title: "您是否已有账号？",
    lead: (provider: Printable) => html`您使用的 ${provider} 账号尚未与这里的账号关联。`,
    signIn: "照常登录",
    signInLead: "登录后会询问您是否关联两者。",
    noMail:
      "此服务器不发送邮件，无法验证您的邮箱地址，因此不能为您创建账号。如果您在这里没有账号，请向管理员申请。",
    mailLead: "或者验证您的邮箱地址：",
    email: "电子邮箱",
    send: "发送验证码",
    code: "邮件中的验证码",
    codeLead: (email, time) => html`我们已将验证码发送到 ${email}，${time}内有效。`,
    useCode: "继续",
    sendAgain: "重新发送验证码",
  },
  failures: {
    email: "请输入邮箱地址。",
    wrong_code: "验证码不正确，请再看一下邮件。",
    code_ended: "该验证码已失效，请重新发送。",
    throttled: "请求过多，请过几分钟再试。",
    no_mail: "此服务器不发送邮件，请照常登录。",
  },
  offerLink: {
    title: "关联这两个账号？",
    lead: (provider: Printable, email: Printable) =>
      html`之后您也可以用 ${provider} 账号以 ${email} 的身份登录。`,
    organization: (provider: Printable, organization: Printable) =>
      html`从现在起，${organization} 的 ${provider} 可以让您登录。运营它的人也就能以您的身份进入。`,
    account: "对方账号",
    submit: "关联",
    skip: "不关联",
  },
  ask_to_switch: {
    title: "以其他身份登录？",
    lead: (present: Printable, other: Printable) =>
      html`您当前以 ${present} 的身份登录，而该账号属于 ${other}。`,
    submit: (other: Printable) => html`以 ${other} 继续`,
    stay: (present: Printable) => html`保持 ${present}`,
  },
  goOn: {
    title: "即将完成",
    lead: (provider: Printable) => html`您已从 ${provider} 返回。`,
    submit: "继续前往",
  },
  refusals: {
    failed: {
      title: "登录未成功",
      message: (provider: string) => `使用 ${provider} 登录失败。`,
      hint: "请重试，或用其他方式登录。",
    },
    unreachable: {
      title: "没有响应",
      message: (provider: string) => `${provider} 目前没有响应。`,
      hint: "请用其他方式登录，或稍后再试。",
    },
    not_fresh: {
      title: "请重新登录",
      message: (provider: string) => `需要您重新登录，但 ${provider} 没有要求您这样做。`,
      hint: "请重试，或用其他方式登录。",
    },
    cannot_freshen: {
      title: "请用其他方式登录",
      message: (provider: string) => `应用要求您重新登录，而 ${provider} 无法要求您这样做。`,
      hint: "请使用密码或通行密钥。如果两者都没有，请先登录您的账号并在其中添加。",
    },
    unsolicited: {
      title: "请从这里开始登录",
      message: (provider: string) => `${provider} 的这一响应不属于此浏览器中的任何登录。`,
      hint: "可能耗时过长，或是在别处开始的。请从这里开始。",
    },
    void: {
      title: "请重新开始登录",
      message: (provider: string) => `您的 ${provider} 账号在此期间被关联或取消关联。`,
      hint: "重新开始后会再次询问您。",
    },
    no_account: {
      title: "这里还没有您的账号",
      message: (provider: string) => `仅凭 ${provider} 无法在这里创建账号。`,
      hint: "如果您有账号，请用其他方式登录；或向管理员申请账号。",
    },
    refuse_inactive: {
      title: "您无法登录",
      message: (provider: string) => `与该 ${provider} 账号对应的账号无法使用。`,
      hint: "请使用其他账号登录，或联系管理员。",
    },
    beyond_reach: {
      title: "请换一种方式登录",
      message: (provider: string) => `${provider} 不能登录此账号。`,
      hint: "它由某个组织为自己的成员运营，不适用于还管理其他内容的人。",
    },
    linked_elsewhere: {
      title: "未关联",
      message: (provider: string) => `该 ${provider} 账号已与这里的另一个账号关联。`,
      hint: "请在对方使用其他账号，或在已关联处取消关联。",
    },
    other_account: {
      title: "不是您关联的账号",
      message: (provider: string) => `这不是与您的账号关联的 ${provider} 账号。`,
      hint: "请使用那个账号重试。",
    },
    throttled: {
      title: "请稍候",
      message: (provider: string) => `使用 ${provider} 开始的登录过多。`,
      hint: "请过几秒再试。",
    },
  },
  linking: {
    title: "关联其他账号",
    lead: "之后您可以用它登录。",
    link: (provider: string) => `关联 ${provider}`,
    lastWay: "这是您唯一的登录方式",
    lastWayLead: "请先设置密码、添加通行密钥或关联其他账号。",
  },
  mail: {
    subject: (server: string) => `您在 ${server} 的验证码`,
    lead: (server: string, provider: string) =>
      `有人想在 ${server} 将此邮箱地址与 ${provider} 账号一起使用。验证码为：`,
    minutes: (time) => `${time}内有效。请仅在索要验证码的页面中输入。`,
    other: "如果不是您本人操作，无需处理：没有验证码不会发生任何事情。",
  },
};
