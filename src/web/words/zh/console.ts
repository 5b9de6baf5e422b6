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
  sections: {
    overview: "概览",
    clients: "应用",
    people: "人员",
    machines: "机器",
    activity: "活动",
    server: "服务器",
  },
};
