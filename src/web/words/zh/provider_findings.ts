import type { ProviderFindingSentences } from "../parts/sentences.ts";
import { fieldLabels } from "./field_labels.ts";

export const providerFindings: ProviderFindingSentences = {
  expected: (value) => `预期为 ${value}`,
  received: (value) => `收到 ${value}`,
  sentences: {
    address: ({ address }) => address,
    lacks: ({ members }) => `该记录缺少 ${members.join("、")}`,
    proves_itself: "客户端可以证明自己的身份",
    secret_not_opened: "本服务器的密钥无法解开已保存的密钥，请重新填写",
    published_by: ({ address }) => `由 ${address} 发布`,
    stated_for: ({ address }) => `此处为 ${address} 设定`,
    algorithms_not_accepted: ({ published, accepted }) =>
      `id_token 的签名算法为 ${published.join("、")}；可接受的是 ${accepted.join("、")}`,
    public_keys: ({ count }) => `公钥数量：${count}`,
    s256_sent: "会发送 S256",
    s256_sent_and_taken: "会发送 S256，且提供方声明接受",
    s256_not_taken: "会发送 S256，但提供方声明不接受",
    no_time: "提供方的响应没有 Date 标头",
    clocks_differ: ({ seconds, most }) => `时钟相差 ${seconds} 秒；最多允许 ${most} 秒`,
    no_nonce: ({ provider }) =>
      `${provider} 不返回 nonce：仅凭授权码、客户端密钥和专用回调地址将 id_token 与此次登录绑定`,
    pkce_refused: ({ provider }) => `${provider} 拒绝 PKCE：授权码由 state、客户端密钥和专用回调地址保护`,
    pkce_switched_off: "PKCE 已关闭：授权码由 state、客户端密钥和专用回调地址保护",
    code_without_mail: "新用户需要邮件中的验证码，但邮件未启用：请设置 POSTERN_SMTP_URL 或 email_trust",
    timeout: "提供方未及时响应",
    unreachable: "无法连接提供方",
    tls: "提供方的证书无法验证",
    address_refused: "提供方的地址不允许本服务器连接",
    busy: "本服务器向该提供方发出的请求过多，尚未完成",
    too_large: "提供方的响应过大",
    encoded: "提供方擅自压缩了响应",
    redirect: "提供方返回了重定向",
    status: "提供方返回了意外的状态码",
    not_json: "提供方返回的不是 JSON 对象",
    metadata_issuer: "提供方发布的文档属于另一个颁发者",
    metadata_member: "提供方发布的文档缺少地址或地址有误",
    keys: "提供方没有发布可读取的密钥集",
    not_configured: "该记录缺少一项设置",
    private_address: ({ host }) =>
      `${host} 没有地址，或其地址不是公网地址；内网地址须列入 POSTERN_OUTBOUND_ALLOW，并由平台管理员在此开启“${fieldLabels.internal}”`,
    other_fault: ({ field }) => `提供方返回的 ${field} 有误`,
  },
};
