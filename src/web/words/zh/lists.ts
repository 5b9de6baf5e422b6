import type { ListWords } from "../en/lists.ts";
import { plural } from "./plural.ts";

export const listWords: ListWords = {
  selected: "对所选项：",
  select: "选择",
  selectOne: (name) => `选择 ${name}`,
  presets: {
    label: "常用",
    sign_ins: "登录",
    failed_sign_ins: "失败的登录",
    changes: "变更",
    failures: "失败",
    tokens: "签发的令牌",
    hour: "最近 1 小时",
    day: "最近 24 小时",
    week: "最近 7 天",
  },
  total: {
    of: (range, total) => `${range}，共 ${total}`,
    more: (figure) => `超过 ${figure}`,
  },
  previousPage: "上一页",
  nextPage: "下一页",
  pageLength: "每页",
  sorted: {
    label: "排序",
    ascending: (label) => `${label}，升序`,
    descending: (label) => `${label}，降序`,
  },
  exported: {
    label: "导出",
    csv: "CSV 文件",
    jsonl: "JSON 行",
    help: (most) => `符合筛选条件的所有记录，最多 ${most} 条。`,
  },
  many: {
    title: {
      delete: (count, kind) => `删除 ${count} 个${kind}？`,
      revoke: (count, kind) => `吊销 ${count} 个${kind}？`,
      switch_off: (count, kind) => `停用 ${count} 个${kind}？`,
    },
    addedUp: "各记录的数字相加得出，因此同一个人可能被重复计算。",
    records: plural({ other: (figure) => `${figure} 条记录` }),
    notDone: "无法对以下记录执行",
    record: "记录",
    reason: "原因",
    why: {
      already: "它已经结束。",
      failed: "服务器出错，原因见日志。",
    },
    back: "返回列表",
    done: {
      delete: (done, all, many) => `${many}：已删除 ${done}/${all}`,
      revoke: (done, all, many) => `${many}：已吊销 ${done}/${all}`,
      switch_off: (done, all, many) => `${many}：已停用 ${done}/${all}`,
    },
    doneRecords: "已完成",
  },
};
