import type { ChecksWords } from "../en/checks.ts";

export const checksWords: ChecksWords = {
  lead: "能用但有风险的设置，最严重的在前。",
  clean: "没有问题",
  cleanLead: "此应用的设置符合 OAuth 安全实践的建议。",
  unseenSecrets: "您无权查看此应用的密钥，因此这里不作说明。",
  levels: { danger: "危险", caution: "注意", hint: "值得了解" },
  about: "涉及",
  source: "依据",
  edit: "编辑应用",
  secrets: "应用的密钥",
  profile: {
    title: "规范的要求",
    fits: "此应用符合要求。",
    lacks: "以下各项不符合：",
    demands: {
      authentication_methods:
        "应用用自己签名的断言证明身份（private_key_jwt），密钥在 jwks 中或 jwks_uri 处；不使用密钥口令，也不能是公开应用。",
      pushed_requests: "授权请求先推送到 /oauth/par。",
      pkce: "使用 S256 的 PKCE。",
      bound_tokens: "每个请求都带有 DPoP 证明；没有该密钥，令牌毫无用处。",
      token_algorithms: "令牌用 ES256、PS256 或 EdDSA 签名，不使用 RS256。",
      client_algorithms: "断言和证明用 PS256、ES256 或 EdDSA 签名，绝不用 RS256。",
      issuer_as_audience: "断言的受众只有 issuer。",
      client_audience: "客户端断言的受众只有 issuer。",
      longest_code_ttl: "授权码最多有效 60 秒。",
      no_rotation: "刷新令牌不轮换。",
      https_redirects: "重定向 URI 使用 https，且不使用回环主机。",
      redirect_uri_once: "令牌请求可以省略重定向 URI。",
    },
  },
  risks: {
    app_revoked: {
      title: "应用已被撤销",
      why: "它不再获得令牌，也无法恢复。",
      instead: "注册一个新应用；不再需要其历史记录时，删除此应用。",
    },
    app_inactive: {
      title: "应用已停用",
      why: "它不能获得令牌，原有的令牌也已失效。",
      instead: "需要时启用它，不需要时删除它。",
    },
    owner_inactive: {
      title: "所有者已无法登录",
      why: "没有活跃用户对此应用负责。",
      instead: "把它分配给其他用户；平台管理员可以更改所有者。",
    },
    organization_inactive: {
      title: "所属组织已停用",
      why: "停用组织的应用都不能获得令牌。",
      instead: "启用该组织，或把应用移到其他组织。",
    },
    http_redirect: {
      title: "授权码未加密传输",
      why: "使用明文 http 时，途中的任何人都能从地址中读到授权码。",
      instead: "让重定向 URI 使用 https，并移除 http 的那个。",
    },
    wildcard_redirect: {
      title: "重定向 URI 看起来像通配模式",
      why: "重定向 URI 逐字符比较，通配符只与自身匹配。",
      instead: "完整列出每个地址。",
    },
    scheme_without_dot: {
      title: "任何人都能占用的协议名",
      why: "设备上的其他应用也能注册这样的短协议名，从而收到授权码。",
      instead: "使用已认领的 https 地址，或由您的域名构成的协议名，例如 com.example.app:/cb。",
    },
    private_scheme: {
      title: "私有协议名",
      why: "系统无法证明它属于哪个应用，因此每次都会征求用户同意。",
      instead: "在平台支持时，使用已认领的 https 地址（App Links、Universal Links）。",
    },
    localhost_redirect: {
      title: "用 localhost 代替了回环地址",
      why: "这个名称可能解析到其他机器，而且该地址的端口不能变化。",
      instead: "登记 http://127.0.0.1/… 或 http://[::1]/…，它们匹配任意端口。",
    },
    localhost_any_port: {
      title: "localhost 的任意端口",
      why: "这个名称可能解析到其他机器，其任一端口上的程序都可能收到授权码。每次都会请用户同意。",
      instead:
        "使用 http://127.0.0.1/… 或 http://[::1]/…，它们无需此项也匹配任意端口，并关闭 localhost_any_port。",
    },
    development_redirect: {
      title: "正式地址旁有开发地址",
      why: "用户机器上的任何程序都能在那里监听，收到正式应用的授权码。",
      instead: "为开发单独注册一个应用。",
    },
    redirect_with_query: {
      title: "带查询参数的重定向 URI",
      why: "必须原样发送，而且其中的参数容易被滥用为开放重定向。",
      instead: "需要带回的内容放进 state，登记不带参数的地址。",
    },
    shared_host_redirect: {
      title: "任何人都能取得名称的主机",
      why: "名称一旦放弃，他人就可能占用并收到授权码。",
      instead: "使用自己的域名，并移除已放弃的主机地址。",
    },
    no_redirect_uris: {
      title: "用户无法登录",
      why: "允许了授权码流程，但浏览器没有可以返回的地址。",
      instead: "登记一个重定向 URI，或取消授权码授权方式。",
    },
    unused_redirect_uris: {
      title: "从不使用的重定向 URI",
      why: "此应用不能使用授权码流程，因此它们没有用处。",
      instead: "移除它们，或允许授权码授权方式。",
    },
    http_post_logout: {
      title: "退出登录后经明文 http 返回",
      why: "途中的任何人都能换成别的页面。",
      instead: "在 post_logout_redirect_uris 中使用 https 地址。",
    },
    profile_misfit: {
      title: "不符合所属规范",
      why: "规范要求的内容此应用并不具备，因此其请求会被拒绝。",
      instead: "修改上方列表中的各项，或让应用退出该规范。",
    },
    profile_overrules: {
      title: "被规范覆盖的设置",
      why: "无论应用如何设置，均以规范为准。",
      instead: "删除该设置，以免误导后来的人。",
    },
    unusable_keys: {
      title: "无法用于签名的密钥",
      why: "这些密钥的签名算法（例如 RS256）不被应用或其规范允许。",
      instead: "从 jwks 中删除，或登记为允许的算法。",
    },
    http_keys: {
      title: "密钥经由未加密的线路",
      why: "通过 http，途中的任何人都能用自己的密钥替换应用的密钥。",
      instead: "通过 https 发布密钥，或将其登记为 jwks。",
    },
    keys_missing: {
      title: "应用没有签名密钥",
      why: "应用用自己签名的断言证明身份，而此处没有登记它的任何密钥。",
      instead: "将公钥登记为 jwks，或登记其发布地址。",
    },
    keys_elsewhere: {
      title: "公钥发布在别处",
      why: "公钥地址与重定向 URI 不在同一站点。控制该站点的人可以冒充此应用。",
      instead: "在应用自己的站点发布公钥，或将其登记为 jwks。",
    },
    endpoint_as_audience: {
      title: "面向令牌端点的断言",
      why: "RFC 10070 禁止这样做：冒用该地址的其他服务器可以在这里重放断言。",
      instead: "让客户端库以 issuer 作为 aud，然后把 client_assertion_audience 设为 issuer。",
    },
    confidential_in_browser: {
      title: "浏览器中的密钥",
      why: "用户可以读取浏览器页面中的一切，包括密钥。",
      instead: "改为依靠 PKCE 的公共应用，或把密钥放在代表页面行事的服务器上。",
    },
    confidential_native: {
      title: "安装在设备上的应用里有密钥",
      why: "应用的任何用户都能提取密钥。",
      instead: "改为依靠 PKCE 的公共应用。",
    },
    public_web: {
      title: "没有密钥的网站应用",
      why: "有服务器的应用能保管密钥；没有密钥，被盗的刷新令牌就毫无用处。",
      instead: "改为机密应用；如果它只在浏览器中运行，请把类型改为 spa。",
    },
    public_machine: {
      title: "没有密钥的机器",
      why: "客户端凭据授权需要密钥。公共应用没有密钥，无法获得令牌。",
      instead: "改为机密应用，或取消客户端凭据授权方式。",
    },
    pkce_not_required: {
      title: "未要求 PKCE",
      why: "如果应用的库不使用 PKCE，攻击者注入的授权码也会被兑换。",
      instead: "确认库使用 PKCE，然后开启 require_pkce。",
    },
    mixed_grants: {
      title: "一个应用同时服务用户和机器",
      why: "应用自身的令牌与用户的令牌容易相互混淆。",
      instead: "为用户登录注册一个应用，为客户端凭据另注册一个。",
    },
    no_grants: {
      title: "没有获准的授权方式",
      why: "此应用无法获得任何令牌。",
      instead: "允许它所需的授权方式。",
    },
    refresh_alone: {
      title: "能刷新却不能登录",
      why: "刷新令牌来自授权码流程，而此应用不能使用该流程。",
      instead: "取消刷新授权方式，或允许授权码授权方式。",
    },
    public_without_rotation: {
      title: "刷新令牌被盗也无人察觉",
      why: "公共应用没有密钥，只有轮换才能暴露被复制的刷新令牌。",
      instead: "开启刷新令牌轮换。",
    },
    rotation_off: {
      title: "刷新令牌轮换已关闭",
      why: "被复制的刷新令牌加上密钥，在过期之前可与真正的令牌同时使用。",
      instead: "开启刷新令牌轮换。",
    },
    strict_rotation: {
      title: "同时刷新会使人退出登录",
      why: (figure) =>
        `如果另一个标签页或重试在轮换后的 ${figure} 秒内重复刷新，该次登录的所有令牌都会失效。`,
      instead: "把 metadata.refresh_reuse_window 设为 30：重复的刷新会得到相同的响应。",
    },
    reuse_window: {
      title: "已用过的刷新令牌仍会得到响应",
      why: (figure) => `在 ${figure} 秒的时间窗内，被复制的令牌会得到与真正的令牌相同的响应。`,
      instead: "让 metadata.refresh_reuse_window 尽量短，只够弥补丢失的响应，或者去掉它。",
    },
    long_access_token: {
      title: "访问令牌有效期过长",
      why: (figure) =>
        `只凭签名检查令牌的 API 会一直接受被盗的令牌，直到它过期；这里为 ${figure} 秒，超过一小时。`,
      instead: "把有效期设为 5 到 60 分钟，并使用刷新。",
    },
    long_refresh_token: {
      title: "刷新令牌有效期过长",
      why: (figure) => `旧备份中未使用的令牌在 ${figure} 秒内有效，超过 90 天。`,
      instead: "有效期与用户离开的时间相当即可，例如 7 到 30 天。",
    },
    first_party_elsewhere: {
      title: "对其他网站跳过了授权同意",
      why: "此应用被视为自有应用，授权码却在不询问用户的情况下发往其他网站的主机。",
      instead: "除非那个网站也属于我们，否则关闭 first_party。",
    },
    first_party_unassured: {
      title: "对无法证明身份的应用跳过了授权同意",
      why: "设备上的任何程序都能使用此 client_id，在不询问用户的情况下获得令牌。",
      instead: "关闭 first_party，或只使用已认领的 https 地址。",
    },
    sign_in_unreachable: {
      title: "无法达到所要求的登录级别",
      why: "此服务器上无法设置所需的第二重验证或通行密钥，因此用户会在没有授权码的情况下被送回。",
      instead: "请通过 POSTERN_EXTRA_SIGN_IN 启用所需方式，或降低 require_acr 的要求。",
    },
    no_scopes: {
      title: "没有获准的范围",
      why: "每个请求都必须指明范围，因此此应用的所有请求都会被拒绝。",
      instead: "允许它所需的范围；让用户登录只需 openid。",
    },
    management_scopes: {
      title: "它可以管理此服务器",
      why: "在这些范围之内，此应用的令牌可以更改这里的记录。",
      instead: "只保留所需的范围，并放在不做其他事情的应用中。",
    },
    public_management: {
      title: "公共应用可以管理此服务器",
      why: "没有密钥的应用可能被冒充，而这些范围可以更改这里的记录。",
      instead: "把它们移到机密应用。",
    },
    unknown_scopes: {
      title: "它请求了不存在的范围",
      why: "过去七天内，带有 openid 的请求指明了这些范围；它们被忽略，未被授予。",
      instead: "从应用的请求中删除这些范围，或在它可以请求的 API 上定义它们。",
    },
    idle_scopes: {
      title: "获准的范围不起任何作用",
      why: "它们在此不提供任何声明，没有 API 定义它们，或应用的授权类型无法使用它们。",
      instead:
        "从 allowed_scopes 中删除它们，在 API 上定义它们，或设置它们所需的授权类型、organization_mode 或 claims。",
    },
    introspection_scope: {
      title: "它可以查看其他应用的令牌",
      why: "有了 token:introspect，它就能看到所属组织每个令牌属于谁。",
      instead: "只授予需要检查令牌的 API。",
    },
    resource_unreadable: {
      title: "被忽略的资源",
      why: "该值既不是文本也不是文本列表。",
      instead: "填写一个地址或一组地址。",
    },
    resource_not_absolute: {
      title: "资源不是绝对地址",
      why: "资源必须是不带片段的绝对 URI，对它的请求会被拒绝。",
      instead: "写完整，例如 https://api.example.com。",
    },
    http_resource: {
      title: "令牌用于明文 http 的 API",
      why: "通往该 API 途中的任何人都能读取并使用令牌。",
      instead: "让 API 使用 https，并以此命名。",
    },
    no_live_secret: {
      title: "没有有效的密钥",
      why: "没有密钥的机密应用无法证明身份，也得不到令牌。",
      instead: "创建一个密钥；如果它在用户的设备上运行，则改为公共应用。",
    },
    many_secrets: {
      title: "密钥多于轮换所需",
      why: (figure) => `这 ${figure} 个密钥中的每一个都可能泄露；新旧更替时两个就够了。`,
      instead: "撤销不再使用的密钥。",
    },
    old_secret: {
      title: "使用超过一年的密钥",
      why: "密钥存在越久，副本就越多。",
      instead: "创建新密钥并部署，然后撤销旧密钥。",
    },
    endless_secret: {
      title: "永不过期的密钥",
      why: "如果泄露，它将永远有效。",
      instead: "为下一个密钥设定有效期，并提醒应用的负责人。",
    },
    unused_secret: {
      title: "未使用的密钥",
      why: "它已有 90 天未被使用，即使落入他人之手也无人察觉。",
      instead: "撤销它。",
    },
    expiring_secret: {
      title: "密钥即将过期",
      why: "14 天之内，应用将无法再用它证明身份。",
      instead: "现在就创建新密钥，并在此之前部署好。",
    },
  },
};
