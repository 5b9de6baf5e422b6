import type { SudoWords } from "../en/sudo.ts";

export const sudoWords: SudoWords = {
  title: "请确认是您本人",
  lead: "您即将更改保护您或他人账户的设置。目前尚未作任何更改。",
  password: "密码",
  wrongPassword: "此密码不正确。",
  throttled: "短时间内尝试次数过多。",
  changedMeanwhile: "您同时在另一个窗口中进行了确认。请在此处再确认一次。",
  noWay: "您的账户没有可在此用于确认的方式。服务器管理员可以帮助您。",
  cancel: "取消",
  submit: "确认并继续",
};
