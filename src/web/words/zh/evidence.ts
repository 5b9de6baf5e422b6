import type { EvidenceWords, FactWords } from "../en/evidence.ts";

export const evidenceWords: EvidenceWords = {
  redirect_uri: {
    what: "重定向 URI 不在已登记的地址之中",
    advice:
      "请为该应用登记与此完全相同的地址，或让应用发送已登记的地址：每个字符都算数，包括末尾的斜杠、端口以及 http 或 https。",
  },
  code_redirect_uri: {
    what: "重定向 URI 与请求授权码时所用的不同",
    advice: "在令牌端点发送与授权请求中逐字符相同的 redirect_uri。",
  },
  post_logout_redirect_uri: {
    what: "退出登录后的返回地址未登记",
    advice: "请把与此完全相同的地址加入应用的 post_logout_redirect_uris，或发送其中已有的地址。",
  },
  client_id: {
    what: "没有应用使用这个 client_id",
    advice: "请将应用配置中的 client_id 与此处应用页面上的对照；留意空格，以及是否弄混了环境。",
  },
  client_id_differs: {
    what: "表单中的客户端与 Authorization 标头中的不同",
    advice: "如果 Authorization 标头已指明客户端，请从表单中去掉 client_id，或让两者一致。",
  },
  client_document: {
    what: "无法使用客户端的元数据文档",
    advice:
      "请打开作为 client_id 的网址：其中的文档必须符合 draft-ietf-oauth-client-id-metadata-document，拒绝说明会指出它违反了哪条规则。",
  },
  client_inactive: {
    what: "该应用目前不能使用",
    advice: "请重新启用该应用或其组织；已撤销的应用不能恢复，需要新建一个来代替。",
  },
  client_authentication: {
    what: "客户端使用了未登记的身份验证方法",
    advice: "请将所用的库设置为此处所期望的方法之一；没有密钥的应用用 none，其他应用用各自的密钥。",
  },
  two_methods: {
    what: "客户端同时使用了两种身份验证方法",
    advice: "密钥只放在 Authorization 标头或表单其中之一，不要两处都放。",
  },
  client_secret: {
    what: "客户端密钥不正确",
    advice: "请在应用页面上新建密钥，并完整填入应用的配置，前后不要有空格或换行。",
  },
  client_secret_expired: {
    what: "该应用已过期的密钥",
    advice: "如果应用仍在使用其中之一，请换成较新的密钥。",
  },
  client_secret_revoked: {
    what: "该应用已撤销的密钥",
    advice: "如果应用仍在使用其中之一，请换成较新的密钥。",
  },
  authorization_header: {
    what: "无法读取 Authorization 标头",
    advice:
      "请按此处所期望的发送：客户端用 Basic 加 client_id:client_secret 的 base64，访问令牌用 Bearer 加令牌，且令牌只放一处。",
  },
  scope: {
    what: "请求的范围超出了允许的范围",
    advice: "请减少所请求的权限范围，或把标出的加入应用允许的范围。",
  },
  scope_of_user: {
    what: "请求了与人员有关的权限范围，而此处没有人员",
    advice: "请去掉这些权限范围：机器用户未登录。涉及人员时请使用授权码方式。",
  },
  scope_lacking: {
    what: "访问令牌缺少权限范围",
    advice: "请在授权请求中请求标出的权限范围，使令牌带有它。",
  },
  resource: {
    what: "不允许请求此资源",
    advice: "请改为请求此处所期望的资源，或放宽其 API 的可请求范围：允许更多客户端，或在应用中列出它。",
  },
  audience: {
    what: "此访问令牌是给其他受众的",
    advice: "在此处请使用未带 resource 请求的令牌，另一个令牌请用于它所属的资源。",
  },
  grant_type: {
    what: "本服务器不支持此授权类型",
    advice: "请发送此处所期望的授权类型之一，拼写须完全一致。",
  },
  allowed_grants: {
    what: "该应用不能使用此授权类型",
    advice: "请把它加入应用允许的授权类型，或使用应用已有的类型。",
  },
  allowed_response_types: {
    what: "该应用不能使用此响应类型",
    advice: "请把 code 加入应用允许的响应类型。",
  },
  one_of: {
    what: "某个参数的值不被接受",
    advice: "请发送此处所期望的值之一，拼写须完全一致。",
  },
  missing: {
    what: "缺少参数",
    advice: "请在 POST 的表单或 GET 的查询中发送一次，且不能为空。",
    adviceInForm: "请在 POST 的表单中发送一次，且不能为空；地址中的参数不会被读取。",
    adviceInHeader: "请随请求发送该请求头，且不能为空。",
  },
  repeated: {
    what: "某个参数发送了不止一次",
    advice: "请只发送一次。检查是否库和自己的代码都添加了它，或查询与表单中各有一个。",
    adviceInForm: "请只发送一次。检查是否库和自己的代码都添加了它。",
  },
  malformed: {
    what: "有内容无法读取",
    advice: "请用库而不是手工，把名称和值按 application/x-www-form-urlencoded 以 UTF-8 编码。",
  },
  not_supported: {
    what: "本服务器不接受此参数",
    advice: "请去掉它，直接发送请求的各个参数。",
  },
  content_type: {
    what: "正文不是表单",
    advice: "请以 application/x-www-form-urlencoded 发送参数，而不是 JSON。",
  },
  method: {
    what: "此处不接受该 HTTP 方法",
    advice: "请使用此处所期望的方法；常见原因是重定向或在浏览器中打开地址把 POST 变成了 GET。",
  },
  too_large: {
    what: "请求过大",
    advice: "请减少内容；检查是否 state 变得过长，或某个参数包含了整份文档。",
  },
  pkce_required: {
    what: "缺少 PKCE 的 code_challenge",
    advice: "该应用必须使用 PKCE：让库生成 code_verifier，并发送其 S256 的 code_challenge。",
  },
  pkce_method: {
    what: "code_challenge 的方法不是 S256",
    advice: "请发送 code_challenge_method=S256（大写 S）；从不接受 plain。",
  },
  pkce_challenge: {
    what: "code_challenge 格式不正确",
    advice: "请发送 verifier 的 SHA-256 的 base64url，不带填充：43 个字符。",
  },
  pkce_verifier: {
    what: "code_verifier 与授权码不匹配",
    advice: "请保存每次请求的 verifier，直到其授权码返回，再发送同一个；多个标签页或进程需要共用一处存储。",
  },
  length: {
    what: "值的长度",
    advice:
      "code verifier 由 A–Z a–z 0–9 - . _ ~ 中的 43 到 128 个字符组成。dpop_jkt 为 43 个 base64url 字符。",
  },
  unknown_credential: {
    what: "服务器不认识此授权码或令牌：从未签发，或已在过期后删除",
    advice: "请及时、原样、完整地发送；检查是否解码了两次、文本被截断，或是其他服务器的令牌。",
  },
  other_app: {
    what: "此授权码或令牌是签发给另一个应用的",
    advice: "请用请求它的同一个 client_id 兑换；检查是否有两个环境共用了数据库或 Cookie。",
  },
  already_used: {
    what: "此授权码或令牌此前已用过",
    advice:
      "每个只能用一次。请只让一个进程使用它，并保存返回的结果；不要重新加载浏览历史中的授权码。如果您的应用没有用过它，它可能已被盗：由它签发的所有令牌都已撤销。",
  },
  expired: {
    what: "已过期",
    advice: "请在有效期内使用：授权码立即兑换，刷新令牌在到期前使用，并确认时钟准确。",
  },
  revoked: {
    what: "此前已被撤销",
    advice: "请让用户从应用重新登录；原因说明了是什么使其终止。",
  },
  ended: {
    what: "它所属的会话、授权同意或记录已不再有效",
    advice: "请让用户从应用重新登录；如果应用或用户被停用，请先启用。",
  },
  user_inactive: {
    what: "该用户目前不能登录",
    advice: "请重新启用该用户，并让其重新登录。",
  },
  not_signed_in: {
    what: "用户未登录",
    advice: "请去掉 prompt=none，让用户进入登录；阻止第三方 Cookie 的浏览器不允许隐藏框架看到登录状态。",
  },
  auth_age: {
    what: "登录时间早于允许的时间",
    advice: "请去掉 prompt=none 再次请求，使用户可以重新登录，或允许更大的 max_age。",
  },
  acr_not_held: {
    what: "登录未达到应用所要求的级别",
    advice: "请去掉 prompt=none 再次请求，使用户可以进行更强的验证。",
  },
  acr_unreachable: {
    what: "该账号没有可达到应用所需级别的登录方式",
    advice: "请让用户为账号添加第二重验证或通行密钥，或降低应用的要求（require_acr）。",
  },
  other_user: {
    what: "登录的不是应用所期望的人",
    advice: "请去掉 prompt=none 或 id_token_hint 再次请求，使用户可以选择账号。",
  },
  organization: {
    what: "应用请求的组织不包含该用户，或需要用户选择组织",
    advice: "请用 id 或 slug 指定用户所属的组织，或去掉 prompt=none 再次请求，使用户可以选择。",
    adviceInForm: "请用 id 或 slug 指定用户所属的组织。",
  },
  not_admitted: {
    what: "应用不允许该用户登录",
    advice:
      "请把用户加入应用允许的组织，并授予应用要求的角色或组；或更改应用的 who_may_sign_in 或 organization_mode。",
  },
  consent: {
    what: "用户尚未允许应用所请求的内容",
    advice: "请去掉 prompt=none 再次请求，以便询问用户。",
    adviceInForm: "请用同一个组织把用户带到 /oauth/authorize，以便询问用户。",
  },
  denied: {
    what: "用户拒绝了",
    advice: "并没有出错：请告诉用户应用为何需要访问，并允许再次询问。",
  },
  consent_form: {
    what: "同意表单与请求不符",
    advice: "请从应用重新开始；该页面曾在两个窗口中打开，或打开的时间过长。",
  },
  pushed_request: {
    what: "推送的请求无法使用",
    advice: "每次登录都要推送一个请求，并立即用推送它的 client_id 把用户带来；每个请求只能换取一个授权码。",
  },
  push_required: {
    what: "请求没有预先推送",
    advice:
      "先把参数发送到 /oauth/par，再用 client_id 和返回的 request_uri 把用户带来；或者关闭该应用必须推送的要求。",
  },
  foreign_form: {
    what: "表单不是本服务器的，或已过期",
    advice: "请重新加载页面并再次提交；需要允许本服务器的 Cookie。",
  },
  dead_link: {
    what: "此链接已过期或已被使用",
    advice: "请索取新的链接：每个链接只能使用一次，且有时间限制。",
  },
  id_token_hint: {
    what: "id_token_hint 对此应用无效",
    advice: "请完整发送本服务器签发给同一客户端的最近一个 id_token；过期的也可以。",
  },
  sign_in: {
    what: "登录失败",
    advice: "登录页面不会显示原因。请先确认是谁在求助，再帮助重设密码或启用用户。",
  },
  throttled: {
    what: "此前尝试次数过多",
    advice: "请等待时间结束；之后一次正确的密码会清除失败记录。",
  },
  upstream: {
    what: "外部提供方返回了意外的响应",
    advice: "请将该值与此处的提供方记录以及对方的设置进行比较。",
  },
  assertion: {
    what: "断言的内容不符合要求",
    advice:
      "请为每次请求生成新的断言：iss 和 sub 为服务账号，aud 为本服务器，exp 最多五分钟之后，jti 每次不同。",
  },
  assertion_key: {
    what: "断言不是用该服务账号的有效密钥签名的",
    advice: "请将 kid 与服务账号页面上的密钥对照，并使用其中启用的密钥签名。",
  },
  client_assertion: {
    what: "客户端断言的内容不符合要求",
    advice:
      "请为每次请求生成新的断言：iss 和 sub 为 client_id，aud 为本服务器的 issuer（单个字符串），exp 最多五分钟之后，jti 每次不同。",
  },
  client_assertion_key: {
    what: "客户端断言不是用该应用的密钥签名的",
    advice:
      "请将 kid 与该应用的公钥或其 jwks_uri 处的公钥对照，并使用其中之一签名。没有 kid 时，必须恰好有一个密钥适合 alg。",
  },
  proof: {
    what: "DPoP 证明的内容不符合要求",
    advice:
      "请用支持 RFC 9449 的库为每次请求生成新的证明：typ 为 dpop+jwt，公钥放在 jwk 中，jti 每次不同，随访问令牌发送时 ath 为其哈希。",
  },
  proof_address: {
    what: "DPoP 证明针对的是另一个地址",
    advice: "请对客户端所见的地址签名：本服务器的基础 URL 加上请求的路径，不含查询参数。",
  },
  proof_clock_ahead: {
    what: "客户端的时钟比本服务器的快",
    advice: "请校准客户端的时钟，或使用 DPoP-Nonce 响应头中的 nonce 重新发送请求。",
  },
  proof_clock_behind: {
    what: "客户端的时钟比本服务器的慢，或者该证明在发送前很久就已创建",
    advice: "请校准客户端的时钟，或使用 DPoP-Nonce 响应头中的 nonce 重新发送请求。",
  },
  proof_key: {
    what: "DPoP 证明是用另一个密钥签名的",
    advice: "请从授权请求开始始终使用同一个密钥，并与令牌保存同样久；密钥丢失后，用户需要重新登录。",
  },
};

export const factWords: FactWords = {
  app_inactive: "应用已停用",
  app_revoked: "应用已撤销",
  organization_inactive: "组织已停用",
  unknown: "没有这样的记录",
  inactive: "已停用",
  ended: "期间已终止",
  user_ended: "用户被停用或更改了密码",
  session_ended: "用户已退出登录，或会话已结束",
  consent_ended: "用户收回了授权",
  membership_ended: "用户已不是该组织的成员，或该组织已停用",
  app_ended: "应用或其组织被停用或撤销",
  service_account_ended: "服务账号或其组织被停用",
  key_pair_ended: "服务账号签名所用的密钥已被撤销或删除",
  revoked: "已撤销",
  expired: "已过期",
  begins_like_live: "开头与一个有效的密钥相同，后面不同",
  begins_like_expired: "开头与一个已过期的密钥相同",
  begins_like_revoked: "开头与一个已撤销的密钥相同",
  begins_like_none: "开头与该应用的任何密钥都不同",
  not_basic: "不是 Basic 加 base64",
  no_colon: "client_id 与密钥之间没有冒号",
  two_ways: "标头和表单中都有",
  not_shaped: "不是本服务器的格式",
  not_issued: "格式正确，但此处并不认识",
  another_app: "另一个应用",
  not_access_token: "另一种令牌",
  absent: "没有",
  not_asked_for: "有 verifier，但此前没有发送 challenge",
  differs: "verifier 得出的是另一个 challenge",
  percent_encoding: "损坏的百分号编码",
  nul: "NUL 字符",
  not_utf8: "不是 UTF-8 的字节",
  too_many: "参数过多",
  ended_early: "正文提前结束",
  characters: "含有不允许的字符，或长度过短或过长",
  unreadable: "不是本服务器生成的表单",
  other_session: "另一次登录的表单",
  too_old: "过期的表单",
  answered: "已回答过的表单",
  foreign_or_old: "没有此浏览器曾看到的表单的令牌",
  another_user: "另一个人",
  not_ours: "不是本服务器的 id_token",
  unknown_user: "没有用户使用此电子邮件地址",
  inactive_user: "用户已停用",
  wrong_password: "密码错误",
  changed_meanwhile: "密码恰在此时被更改",
  foreign_password_over: "密码正确，但导入的密码已停用",
  passkey_refused: "通行密钥未通过此项检查",
  not_a_jwt: "不是紧凑格式的已签名 JWT",
  no_such_account: "没有这样的服务账号",
  no_such_key: "该服务账号没有此 kid 的密钥",
  no_key_fits: "该应用没有与 kid 和 alg 相符的密钥",
  keys_unreachable: "该应用的 jwks_uri 没有给出密钥集",
  unverified: "签名不是该密钥的",
  used: "此前已用过",
};
