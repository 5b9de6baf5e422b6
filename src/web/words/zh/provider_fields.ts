import type {
  providerHelp as englishHelp,
  providerLabels as englishLabels,
  ProviderValues,
} from "../en/provider_fields.ts";

export const providerLabels: typeof englishLabels = {
  allowed_tenants: "允许的租户",
  authorization_endpoint: "授权端点",
  client_secret: "客户端密钥或私钥",
  email_domains: "邮箱域名",
  email_trust: "对邮箱地址的信任",
  issuer: "颁发者",
  attribute_claims: "属性的声明",
  keep_tokens: "保留其令牌",
  label: "按钮上的名称",
  link: "邮箱在此已有账号时",
  links: "关联账号",
  preset: "提供方类型",
  provider_id: "提供方记录",
  sign_up: "谁可以获得账号",
  token_endpoint: "令牌端点",
  trust_amr: "信任其第二验证因素",
  userinfo_endpoint: "用户信息端点",
};

export const providerHelp: typeof englishHelp = {
  allowed_tenants:
    "每行一个：Microsoft 的租户 ID、Google Workspace 的域名、Slack 的工作区 ID。留空则全部允许。",
  client_secret: "由提供方给出。Apple 则为 PEM 格式的私钥。它会加密保存且不再显示；留空则保持不变。",
  new_client_secret: "由提供方给出。Apple 则为 PEM 格式的私钥。它会加密保存且不再显示。",
  email_domains: "每行一个，例如 example.com。用于按域名信任，以及按域名开设账号。",
  email_trust: "选错会危及账号：为某个邮箱作担保的提供方可以登录使用该邮箱的账号。",
  issuer: "https 地址，与提供方公布的完全一致。",
  attribute_claims:
    '属性与声明的 JSON 对象，例如 { "department": "dept" }。这些属性仅由提供方写入，缺少声明时其值会被删除。',
  keep_tokens: "加密保存，仅用于在解除关联时在提供方撤销。",
  label: "用户据此名称选择提供方。",
  link: "仅当提供方自己管理该邮箱时才自动进行。",
  links: "存在关联账号时必须选择。之后这些用户须改用其他方式登录。",
  provider_active: "停用期间，用户无法通过它登录。关联账号会保留。",
  provider_client_id: "该提供方分配给此服务器的客户端 ID。",
  provider_reserved: "其他选项只能由平台管理员设置，例如信任邮箱地址和自动关联账号。",
  provider_scopes: "以空格、逗号或换行分隔。留空则使用登录所需的范围。",
  new_provider_slug:
    "它是需在提供方登记的重定向 URI 的一部分：本服务器的 URL 后接 /sign-in/、此标识和 /callback。只要还有关联账号就不能更改。",
  provider_slug: "它出现在重定向 URI 和关联账号中，只要还有关联账号就不能更改。",
  trust_amr: "在该提供方确认过第二因素的用户，在这里不再被要求。",
};

export const providerValues: ProviderValues = {
  preset: { oidc: "任意 OpenID 提供方", oauth2: "任意 OAuth 2.0 提供方" },
  email_trust: { never: "不信任", claim: "提供方声明已验证的地址", domains: "所列邮箱域名的全部地址" },
  sign_up: { never: "无人", invited: "受邀人员", domains: "所列邮箱域名的人员", anyone: "任何人" },
  link: { ask: "要求证明账号归属", automatic: "在安全时自动关联" },
  links: { delete: "删除它们" },
};
