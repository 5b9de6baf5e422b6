import type { NoticeWords } from "../en/notices.ts";
import { plural } from "./plural.ts";

export const noticeWords: NoticeWords = {
  kinds: {
    password: {
      subject: (server) => `您在 ${server} 的密码已更改`,
      says: (server, time) => `${server} 上使用此地址的账号的密码已于 ${time} 更改。`,
    },
    email: {
      subject: (server) => `您在 ${server} 的账号邮箱已更改`,
      says: (server, time) =>
        `${server} 上使用此地址的账号已于 ${time} 改用其他地址。今后的相关邮件将发送到新地址。`,
    },
    email_here: {
      subject: (server) => `此地址现在是您在 ${server} 的账号邮箱`,
      says: (server, time) =>
        `自 ${time} 起，${server} 上的一个账号使用此地址。您用它登录，账号的相关邮件也会发送到这里。`,
    },
    factor_added: {
      subject: (server) => `您在 ${server} 添加了身份验证器`,
      says: (server, time, name) => `身份验证器“${name}”已于 ${time} 添加到您在 ${server} 的账号。`,
    },
    factor_removed: {
      subject: (server) => `您在 ${server} 的身份验证器已移除`,
      says: (server, time, name) => `身份验证器“${name}”已于 ${time} 从您在 ${server} 的账号移除。`,
    },
    recovery_codes: {
      subject: (server) => `您在 ${server} 有了新的恢复代码`,
      says: (server, time) => `您在 ${server} 的账号已于 ${time} 生成新的恢复代码。之前的代码不再有效。`,
    },
    recovery_code_used: {
      subject: (server) => `您在 ${server} 的一个恢复代码已被使用`,
      says: (server, time) => `您在 ${server} 的账号的一个恢复代码已于 ${time} 被使用。`,
    },
    device_remembered: {
      subject: (server) => `${server} 已记住一个浏览器`,
      says: (server, time) =>
        `于 ${time} 登录您在 ${server} 的账号的一个浏览器已被记住：在若干天内不会要求第二重验证。您可以在账号的“登录会话”中查看这些浏览器。`,
    },
    passkey_added: {
      subject: (server) => `您在 ${server} 添加了通行密钥`,
      says: (server, time, name) => `通行密钥“${name}”已于 ${time} 添加到您在 ${server} 的账号。`,
    },
    passkey_removed: {
      subject: (server) => `您在 ${server} 的通行密钥已移除`,
      says: (server, time, name) => `通行密钥“${name}”已于 ${time} 从您在 ${server} 的账号移除。`,
    },
    passkey_copied: {
      subject: (server) => `您在 ${server} 的通行密钥可能已被复制`,
      says: (server, time, name) =>
        `您在 ${server} 的账号的通行密钥“${name}”已于 ${time} 被拒绝，因为它的应答表明可能存在副本。请移除它并添加新的通行密钥。`,
    },
    link_added: {
      subject: (server) => `您在 ${server} 关联了另一个账号`,
      says: (server, time, name) => `“${name}”的一个账号已于 ${time} 关联到您在 ${server} 的账号。`,
    },
    link_removed: {
      subject: (server) => `您在 ${server} 的关联账号已移除`,
      says: (server, time, name) => `您在 ${server} 的账号与“${name}”账号的关联已于 ${time} 移除。`,
    },
    api_key: {
      subject: (server) => `您在 ${server} 创建了 API 密钥`,
      says: (server, time, name) =>
        `API 密钥“${name}”已于 ${time} 为您在 ${server} 的账号创建。持有它的程序可以代表您操作。`,
    },
    api_key_changed: {
      subject: (server) => `您在 ${server} 的 API 密钥已更改`,
      says: (server, time, name) =>
        `您在 ${server} 的账号的 API 密钥“${name}”的权限或有效期已于 ${time} 更改。`,
    },
    new_device: {
      subject: (server) => `有新设备登录了您在 ${server} 的账号`,
      says: (server, time) => `您在 ${server} 的账号已于 ${time} 从一个此前未见过的浏览器登录。`,
    },
    wrong_factor: {
      subject: (server) => `可能有人知道您在 ${server} 的密码`,
      says: (server, time) =>
        `${time}，有人为您在 ${server} 的账号输入了正确的密码，随后输入了错误的验证码。`,
    },
    recovery_started: {
      subject: (server) => `更换您在 ${server} 的第二因素的请求`,
      says: (server, time) =>
        `${time}，有人使用您的密码和此邮箱的验证码，声称您在 ${server} 的账号的所有第二因素均已丢失。`,
    },
    recovery_halfway: {
      subject: (server) => `提醒：您在 ${server} 的第二因素将被更换`,
      says: (server) => `更换您在 ${server} 的账号的第二因素的请求正在等待中。等待时间已过半。`,
    },
    recovery_ready: {
      subject: (server) => `您在 ${server} 的第二因素现在可以更换`,
      says: (server) => `等待时间已结束，现在可以更换您在 ${server} 的账号的第二因素。`,
    },
    recovery_cancelled: {
      subject: (server) => `更换您在 ${server} 的第二因素的请求已取消`,
      says: (server, time) => `更换您在 ${server} 的账号的第二因素的请求已于 ${time} 取消。`,
    },
    recovery_finished: {
      subject: (server) => `您在 ${server} 的第二因素已移除`,
      says: (server, time) =>
        `经过此前通知的等待，您在 ${server} 的账号的通行密钥、身份验证器应用和恢复代码已于 ${time} 移除。所有会话均已退出登录。`,
    },
    removal_started: {
      subject: (server) => `移除您在 ${server} 的通行密钥的请求`,
      says: (server, time) =>
        `${time}，有人使用另外两个因素登录，并凭此邮箱的验证码声称您在 ${server} 的账号的通行密钥已丢失。`,
    },
    removal_halfway: {
      subject: (server) => `提醒：您在 ${server} 的通行密钥将被移除`,
      says: (server) => `您在 ${server} 的账号的通行密钥已被报告丢失，将被移除。等待时间已过半。`,
    },
    removal_ready: {
      subject: (server) => `您在 ${server} 的通行密钥即将被移除`,
      says: (server) => `您在 ${server} 的账号的通行密钥已被报告丢失，将被移除。等待即将结束。`,
    },
    removal_cancelled: {
      subject: (server) => `移除您在 ${server} 的通行密钥的请求已取消`,
      says: (server, time) => `移除您在 ${server} 的账号的通行密钥的请求已于 ${time} 取消。`,
    },
    removal_finished: {
      subject: (server) => `您在 ${server} 丢失的通行密钥已移除`,
      says: (server, time, name) =>
        `经过此前通知的等待，您在 ${server} 的账号的通行密钥“${name}”已于 ${time} 移除。从现在起，您可以用其他因素确认对账号的更改。`,
    },
    factors_reset: {
      subject: (server) => `您在 ${server} 的第二因素已被移除`,
      says: (server, time) =>
        `${time}，管理员移除了您在 ${server} 的账号的通行密钥、身份验证器和恢复代码。下次登录时您会通过邮件收到验证码，之后即可重新设置。`,
    },
    secured: {
      subject: (server) => `您在 ${server} 的账号已受到保护`,
      says: (server, time) =>
        `${time}，有人报告您在 ${server} 的账号上的操作并非您本人所为。此后创建的内容已失效。`,
    },
    deletion: {
      subject: (server) => `您在 ${server} 的账号将被删除`,
      says: (server, time) => `您在 ${server} 的账号将被删除，因此已于 ${time} 在所有设备上退出登录。`,
    },
    deleted: {
      subject: (server) => `您在 ${server} 的账号已删除`,
      says: (server, time) => `${server} 上使用此地址的账号已于 ${time} 删除。`,
    },
  },
  withCodes: "同时生成了一组恢复代码。",
  codesLeft: plural({ other: (figure) => `您还剩 ${figure} 个恢复代码。` }),
  device: (device, address) => `设备：${device}。地址：${address}。`,
  onSystem: (browser, system) => `${system} 上的 ${browser}`,
  unknownDevice: "未知",
  unknownAddress: "未知",
  own: "如果这是您本人的操作，则无需理会。",
  notMe: "如果不是您本人的操作，请立即保护您的账号：",
  notMeLink: "不是我本人",
  tellAdministrator: "如果不是您本人的操作，请告知服务器管理员。",
  endpoint: {
    subject: (owner) => `${owner} 的一个 Webhook 端点已停用`,
    gone: (owner, time) => `${owner} 的一个 Webhook 端点已于 ${time} 停用：接收方答复它已不存在（410）。`,
    failing: (owner, time) => `${owner} 的一个 Webhook 端点已于 ${time} 停用：它连续三天没有接受任何事件。`,
    kept: (position) =>
      `它已收到位置 ${position} 及之前的所有事件，之后的事件会保留。重新启用时，请选择从该位置继续还是从新事件开始。`,
    link: "打开端点",
  },
  secure: {
    title: "保护您的账号",
    lead: "可能有其他人使用了您的账号。请按顺序完成以下步骤。",
    password: "设置新密码",
    passwordHint: "您将在所有设备上退出登录，所有应用的访问权限也会终止。",
    sessions: "查看您在哪里登录",
    sessionsHint: "结束您不认识的会话。",
    factors: "查看您的登录方式",
    factorsHint: "移除不属于您的通行密钥和身份验证器应用。",
    links: "查看关联账号",
    linksHint: "移除不属于您的关联账号。",
    keys: "查看 API 密钥",
    keysHint: "吊销不是您创建的密钥。",
    ask: "无法登录，或账号邮箱已不是您的地址？请告知服务器管理员。",
  },
};
