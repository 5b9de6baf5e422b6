import type { TakeFactorsWords } from "../en/take_factors.ts";

export const takeFactorsWords: TakeFactorsWords = {
  one: {
    title: "移除一个第二因素",
    lead: (name, factor) => `${name} 丢失了${factor}，但还有其他第二因素。`,
    removed: "它不能再用于登录或确认登录。用户的其他登录方式保持不变。",
    ended: "使用它的会话将结束，所有浏览器会再次要求第二因素。",
    told: "将通过邮件通知用户。",
    submit: "移除",
  },
  all: {
    title: "重置第二因素",
    lead: (name) => `${name} 丢失了所有第二因素。`,
    removed: "移除所有通行密钥、身份验证器、恢复代码和已记住的浏览器。",
    ended: "撤销该用户的所有会话和令牌。",
    told: "该用户会收到邮件通知，并在下次登录时通过验证码证明邮箱属于本人。",
    reason: "原因",
    reasonHelp: "供审计使用。请说明您如何确认是该用户本人提出的请求。",
    cancel: "取消",
    submit: "重置第二因素",
  },
};
