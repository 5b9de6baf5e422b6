import { html } from "../../html/html.ts";
import type { OpenConsentWords } from "../en/open_consent.ts";

export const openConsentWords: OpenConsentWords = {
  unknown: "一个未知的应用",
  verified: "地址已验证",
  unproven: "自行注册，未经验证",
  callsItself: (name) => html`它自称 ${name}。`,
  saidByItself: "由应用自己提供，未经验证",
  hiddenName: {
    deceptive: "不显示它给自己取的名称：该名称的写法可能造成误导。",
    resembles: "不显示它给自己取的名称：该名称可能与另一个应用的名称混淆。",
  },
  warning: {
    loopback: "结果将发送给此设备上的一个程序，无法核实是哪一个。仅当这是您自己启动的程序时才继续。",
    private_scheme:
      "结果将发送给此设备上打开此类地址的程序，无法核实是哪一个。仅当这是您自己启动的程序时才继续。",
  },
  answersAt: (places) => html`结果将发送到 ${places}。`,
  newly: "新增：它将能够",
  already: "此前已允许",
  at: "用于",
  identifier: "标识符",
};
