import type { ConsoleWords } from "../en/console.ts";

export const consoleWords: ConsoleWords = {
  title: "控制台",
  dashboard: "仪表盘",
  housekeeping: "日常维护",
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
