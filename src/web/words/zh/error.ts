import type { ErrorWords } from "../en/error.ts";

export const errorWords: ErrorWords = {
  error: "错误",
  detail: "详情",
  request: "请求编号",
  reference: "参考编号",
  start: "前往首页",
  kinds: {
    refused: {
      title: "此请求有问题",
      message: "服务器已拒绝此请求，请查看下方详情。",
      hint: "如果是某个应用将您带到这里，其开发者会需要下面的信息。",
    },
    missing: {
      title: "找不到页面",
      message: "此地址没有内容。",
      hint: "地址可能输入或复制有误。",
    },
    busy: {
      title: "请稍候",
      message: "服务器正忙，请稍后重试。",
      hint: "没有任何内容丢失：请重新加载此页面。",
    },
    broken: {
      title: "这里出了点问题",
      message: "服务器遇到了意外情况。",
      hint: "这不是您的错。服务器的管理者可凭请求编号查明原因。",
    },
    foreign_form: {
      title: "无法接受此表单",
      message: "表单已过期，或来自其他网站。",
      hint: "请返回后重试。",
    },
    sign_in_ended: {
      title: "您已不在登录状态",
      message: "登录已结束。",
      hint: "请从应用重新开始。",
    },
    client_document_unavailable: {
      title: "无法连接到该应用",
      message: "该应用在自己的网址上说明其身份，而该网址目前没有响应。",
      hint: "请稍后再试。如果问题持续存在，请联系该应用的开发者。",
    },
    unknown_client: {
      title: "此应用未在此处注册",
      message: "它从未在此处注册，或其注册因未使用而被移除。",
      hint: "如果该应用是自行连接的，请在其中移除连接，然后重新连接。",
    },
    dead_setup_link: {
      title: "此链接已过期或已被使用",
      message: "此设置链接不能再次使用。",
      hint: "重新启动服务器会显示新的链接。",
    },
  },
};
