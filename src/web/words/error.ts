import type { Language } from "./language.ts";

const en = {
  error: "Error",
  detail: "Detail",
  request: "Request",
  reference: "Reference",
  kinds: {
    refused: {
      title: "This request cannot be carried out",
      message: "Something in it is not as it should be.",
      hint: "If an application sent you here, its developers will want to know what is written below.",
    },
    missing: {
      title: "Nothing here",
      message: "There is nothing at this address.",
      hint: "It may have been typed or copied wrongly.",
    },
    busy: {
      title: "One moment, please",
      message: "The server is busy. Try again in a moment.",
      hint: "Nothing is lost: reload this page.",
    },
    broken: {
      title: "Something went wrong here",
      message: "The server met an unexpected condition.",
      hint: "It is not your fault. Whoever runs this server can find out more by the number of the request.",
    },
    foreign_form: {
      title: "This form cannot be taken",
      message: "The form is out of date or was sent from another site.",
      hint: "Go back and try again.",
    },
    sign_in_ended: {
      title: "You are no longer signed in",
      message: "The sign-in has ended.",
      hint: "Start again at the application.",
    },
    dead_setup_link: {
      title: "This link works no more",
      message: "This setup link is used or too old.",
      hint: "Starting the server again prints another.",
    },
  },
};

export type ErrorWords = typeof en;

const es: ErrorWords = {
  error: "Error",
  detail: "Detalle",
  request: "Solicitud",
  reference: "Referencia",
  kinds: {
    refused: {
      title: "No se puede atender esta solicitud",
      message: "Hay algo en ella que no es como debería.",
      hint: "Si te ha enviado aquí una aplicación, a quienes la desarrollan les servirá lo que está escrito abajo.",
    },
    missing: {
      title: "Aquí no hay nada",
      message: "No hay nada en esta dirección.",
      hint: "Puede que se haya escrito o copiado mal.",
    },
    busy: {
      title: "Un momento, por favor",
      message: "El servidor está ocupado. Vuelve a intentarlo en un momento.",
      hint: "No se ha perdido nada: recarga esta página.",
    },
    broken: {
      title: "Algo ha fallado aquí",
      message: "El servidor se ha encontrado con una situación inesperada.",
      hint: "No es culpa tuya. Quien administra este servidor puede averiguar más con el número de la solicitud.",
    },
    foreign_form: {
      title: "No se puede aceptar este formulario",
      message: "El formulario ha caducado o se envió desde otro sitio.",
      hint: "Vuelve atrás e inténtalo de nuevo.",
    },
    sign_in_ended: {
      title: "Ya no tienes la sesión iniciada",
      message: "La sesión ha terminado.",
      hint: "Empieza de nuevo desde la aplicación.",
    },
    dead_setup_link: {
      title: "Este enlace ya no funciona",
      message: "Este enlace de configuración ya se ha usado o es demasiado antiguo.",
      hint: "Al iniciar de nuevo el servidor se muestra otro.",
    },
  },
};

const zh: ErrorWords = {
  error: "错误",
  detail: "详情",
  request: "请求编号",
  reference: "参考编号",
  kinds: {
    refused: {
      title: "无法处理此请求",
      message: "请求中有内容不符合要求。",
      hint: "如果是某个应用将您带到这里，其开发者会需要下面的信息。",
    },
    missing: {
      title: "这里什么也没有",
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
    dead_setup_link: {
      title: "此链接已失效",
      message: "此设置链接已使用或已过期。",
      hint: "重新启动服务器会显示新的链接。",
    },
  },
};

export const errorWords: Readonly<Record<Language, ErrorWords>> = { en, es, zh };
