import type { ActionWords } from "../en/actions.ts";

export const actionWords: ActionWords = {
  registerClient: "注册此客户端",
  resetFactors: "重置第二因素",
  sendPasswordReset: "发送重置链接",
  exportData: "导出数据",
  rotateSecret: "轮换密钥",
  previewTokens: "预览令牌",
  inviteMember: "邀请成员",
  retryNotice: "重新发送",
  testNotice: "发送测试通知",
  makePublic: "改为公开应用",
  changeField: (label) => `更改：${label}`,
};
