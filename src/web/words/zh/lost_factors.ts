import { html } from "../../html/html.ts";
import type { LostFactorsWords } from "../en/lost_factors.ts";

export const lostFactorsWords: LostFactorsWords = {
  why: "您的第二因素已被移除。",
  sent: (email) => html`我们已向 ${email} 发送验证码。`,
  label: "邮件中的验证码",
  help: (time) => `最新一封邮件中的数字，${time}内有效。`,
  wrong: "这不是最新一封邮件中的验证码。",
  expired: "此验证码已过期。我们已发送新的验证码。",
  tooMany: "请求次数过多，未发送验证码。请稍后再试。",
  mail: {
    subject: (server) => `您在 ${server} 的验证码`,
    says: (server) => `有人正在登录您在 ${server} 的账号。其第二因素已被移除，因此需要一次此验证码。`,
    code: (code) => `验证码：${code}`,
    caution: "请勿将其告诉任何人，仅在您开始登录的页面输入。如果不是您本人，请更改密码。",
  },
  signedIn: {
    title: "您已登录",
    lead: "您的账号目前没有第二因素。请重新设置，以免仅凭密码就能登录。",
    setUp: "设置第二因素",
    later: "暂不设置，继续",
  },
};
