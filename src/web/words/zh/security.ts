import type { SecurityWords } from "../en/security.ts";

export const securityWords: SecurityWords = {
  lead: "您的登录方式，以及账户最近的动态。",
  password: { have: "您可以使用电子邮箱和密码登录。" },
  recent: {
    title: "近期活动",
    none: "尚无记录。",
    what: "事件",
    when: "时间",
    byOther: "管理员",
    kinds: {
      sign_in: "登录",
      sign_in_failed: "登录失败",
      password_reset: "通过邮件链接设置了新密码",
      password_changed: "密码已更改",
      email_changed: "电子邮箱已更改",
      "passkey.created": "已添加通行密钥",
      "passkey.updated": "已重命名通行密钥",
      "passkey.deleted": "已移除通行密钥",
      "passkey.refused": "通行密钥被拒绝",
      "authenticator_app.created": "添加了身份验证器应用",
      "authenticator_app.updated": "重命名了身份验证器应用",
      "authenticator_app.deleted": "移除了身份验证器应用",
      "recovery_codes.created": "生成了新的恢复代码",
      "recovery_code.used": "使用了恢复代码",
      "linked_account.created": "已关联外部提供方的账号",
      "linked_account.deleted": "已解除与外部提供方账号的关联",
      "user.factors_reset": "已重置第二重验证和通行密钥",
      "user.factor_removed": "已移除一个第二因素",
    },
  },
};
