import type { ProviderCheckWords } from "../en/provider_check.ts";

export const providerCheckWords: ProviderCheckWords = {
  title: "重定向 URI",
  lead: "请在提供方处逐字登记此地址。",
  unready: "目前无人能通过它登录：它没有客户端密钥或私钥。",
  check: "检查此提供方",
  checkLead: "获取提供方公布的内容：颁发者、密钥、算法及其时钟。",
  found: (name) => `${name} 的检查结果`,
  well: "未发现问题：用户应该可以通过它登录。",
  wrong: "在修正之前，用户无法通过它登录。",
  tooOften: "刚刚检查过。请稍后再试。",
  again: "再次检查",
  back: "返回提供方",
  ok: "正常",
  fault: "错误",
  state: "状态",
  what: "检查项",
  detail: "结果",
  checks: {
    redirect_uri: "重定向 URI",
    settings: "设置",
    metadata: "公布的元数据",
    keys: "密钥与算法",
    pkce: "PKCE 的使用",
    protection: "缺少的保护",
    clock: "时钟",
  },
};
