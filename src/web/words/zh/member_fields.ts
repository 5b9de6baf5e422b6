import type { memberHelp as help, memberLabels as labels, MemberValues } from "../en/member_fields.ts";

export const memberLabels: typeof labels = {
  "settings.brand.name": "登录页面上的名称",
  "settings.brand.accent": "颜色",
  "settings.brand.logo_url": "登录页面上的徽标",
  "settings.sign_up.policy": "谁可以注册",
  "settings.sign_up.domains": "可以注册的电子邮件域名",
  "settings.audience": "令牌的受众",
  "settings.session.max_age": "会话最长时间",
  "settings.session.idle": "最长闲置时间",
  "settings.session.remember": "成员可以保持登录",
  "metadata.client_uri": "网站",
  "metadata.policy_uri": "隐私政策",
  "metadata.tos_uri": "服务条款",
  "metadata.scope_descriptions": "范围的描述",
  "metadata.refresh_reuse_window": "刷新令牌的重复时限",
  "settings.team_id": "团队 ID",
  "settings.key_id": "密钥 ID",
  "settings.claim_names.subject": "标识符的声明",
  "settings.claim_names.email": "电子邮件的声明",
  "settings.claim_names.email_verified": "电子邮件已验证的声明",
  "settings.claim_names.name": "名称的声明",
  "settings.claim_names.picture": "头像的声明",
  "settings.revocation_endpoint": "吊销端点",
  "settings.pkce": "使用 PKCE",
  attribute: "属性值",
  searchable: "可搜索",
};

export const memberHelp: typeof help = {
  "settings.brand.name": "留空则使用组织的名称。",
  "settings.brand.accent": "例如 #0e6655，用于按钮和链接。难以辨认时，会换成更深或更浅的颜色。",
  "settings.brand.logo_url": "https 地址，或以 data: 地址给出的小图片。留空则使用组织的徽标。",
  "settings.sign_up.policy":
    "适用于该组织的应用。不能比 POSTERN_SIGN_UP 允许更多；不选则遵循该设置，其默认值为 closed。",
  sign_up_closed: "此服务器不允许注册，因为 POSTERN_SIGN_UP 为 closed。组织不能允许更多。",
  "settings.sign_up.domains": "每行一个，例如 example.com。",
  "settings.audience": "用于未指定 API 而请求的令牌。留空则使用自己的受众。",
  "settings.session.max_age": "适用于组织成员，从下次登录开始。如果服务器的限制更短，则以服务器为准。",
  "settings.session.idle": "适用于组织成员，从上次使用算起。如果服务器的限制更短，则以服务器为准。",
  "settings.session.remember": "前提是服务器在登录时提供此选项。",
  "metadata.client_uri": "https 地址，会在授权页面上链接。",
  "metadata.policy_uri": "https 地址，会在授权页面上链接。",
  "metadata.tos_uri": "https 地址，会在授权页面上链接。",
  "metadata.scope_descriptions": "每行一个，等号后是描述：orders:read = 查看你的订单。其他语言的描述会保留。",
  "metadata.refresh_reuse_window":
    "最多 60 秒：重复的请求得到相同的回答，之前的访问令牌也在此期间有效。0 表示立即失效；留空则使用服务器的设置。",
  "settings.claim_names.subject": "提供方从不更改、也从不分配给他人的声明。",
  attribute: "名称和值：department:Sales",
};

export const memberValues: MemberValues = {
  "settings.sign_up.policy": {
    closed: "任何人都不可以",
    invited: "受邀请的人",
    domains: "上述电子邮件域名的人",
    open: "任何人",
  },
};
