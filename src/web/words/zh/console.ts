import { html } from "../../html.ts";
import type { ConsoleWords } from "../en/console.ts";

export const consoleWords: ConsoleWords = {
  title: "控制台",
  dashboard: "仪表盘",
  housekeeping: "日常维护",
  search: "搜索",
  searchAll: "搜索全部记录",
  results: (query) => `“${query}”的搜索结果`,
  noResults: "没有结果",
  searchLead: "可按名称、邮箱或客户端 ID 的任意部分搜索，也可按完整 ID 搜索。",
  reference: "API 参考",
  openApi: "OpenAPI 文档",
  version: (version) => `版本 ${version}`,
  showApiNames: "显示 API 名称",
  hideApiNames: "隐藏 API 名称",
  organization: {
    label: "组织",
    all: "全部组织",
    more: "查找其他组织",
    choose: "选择组织",
    lead: "选择后，列表、统计数据和新记录都属于该组织。",
    find: "按名称查找组织",
    narrow: "还有更多，请按名称搜索。",
    first: "您管理的组织较多，请选择一个以查看其统计数据。",
    showAll: "显示全部组织",
    none: (records, organization) => html`${organization}中没有${records}`,
    everywhere: "这些记录不属于任何组织，因此全部列出。",
  },
  sections: {
    overview: "概览",
    clients: "应用",
    people: "人员",
    machines: "机器",
    activity: "活动",
    server: "服务器",
  },
};
