import { html } from "../../html/html.ts";
import type { DashboardWords } from "../en/dashboard.ts";

export const dashboardWords: DashboardWords = {
  health: {
    title: "Salud",
    overall: { fine: "En buen estado", caution: "Requiere atención", failure: "No funciona" },
    database: { label: "Base de datos", fine: "responde", caution: "lenta", failure: "sin respuesta" },
    key: { label: "Clave de firma", age: (age) => `hace ${age}`, failure: "sin clave activa" },
    addresses: { label: "Direcciones de los clientes" },
    hashing: { label: "Carga de inicios de sesión", fine: "habitual", caution: "alta", failure: "excesiva" },
    mail: {
      label: "Correo",
      fine: "funciona",
      caution: "la cola crece",
      failure: "el último falló",
      off: "desactivado",
    },
    sweep: { label: "Limpieza", ago: (time) => `hace ${time}`, pending: "aún no" },
  },
  advice: {
    database: {
      caution: "La base de datos tarda en responder. Revisa la carga de su máquina y su disco.",
      failure:
        "La base de datos no responde. Hasta que lo haga nadie puede iniciar sesión ni se emiten tokens.",
    },
    signing_key: {
      caution: "La clave de firma es antigua. Rótala; no se cierra ninguna sesión.",
      failure:
        "No hay ninguna clave de firma activa. Crea una; hasta entonces los tokens se firman con una clave que está a punto de caducar.",
    },
    addresses: {
      caution:
        "Casi todas las solicitudes llegan desde esta dirección, que parece ser la de tu proxy. Indícala en POSTERN_TRUST_PROXY y haz que el proxy envíe X-Forwarded-For; hasta entonces, todos los usuarios comparten los límites de una sola dirección.",
    },
    hashing: {
      caution:
        "Muchas contraseñas esperan a ser comprobadas. Busca una avalancha de inicios de sesión o da más procesadores al servidor.",
      failure:
        "Esperan tantas contraseñas que los usuarios no pueden iniciar sesión. Busca una avalancha de inicios de sesión.",
    },
    no_mail: {
      caution:
        "Los usuarios pueden añadir llaves de acceso o aplicaciones de autenticación, pero este servidor no envía correo. En un navegador nuevo tienen que esperar y no reciben avisos cuando se añade una. Define POSTERN_SMTP_URL y POSTERN_MAIL_FROM.",
    },
    mail: {
      caution: "Muchos correos esperan. Revisa el servidor de correo.",
      failure:
        "El último correo no se pudo enviar. Revisa el registro y el servidor de correo indicado en POSTERN_SMTP_URL.",
    },
    sweep: {
      caution: "Hace tiempo que no se buscan filas caducadas. El registro dice por qué.",
    },
  },
  today: "Últimas 24 horas",
  figures: {
    tokens: "Tokens emitidos",
    sign_ins: "Inicios de sesión",
    sign_in_failures: "Inicios de sesión fallidos",
    refusals: "Solicitudes fallidas",
  },
  more: (share) => `${share} más que el día anterior`,
  fewer: (share) => `${share} menos que el día anterior`,
  same: "igual que el día anterior",
  before: (count) => `el día anterior: ${count}`,
  unusual: "más de lo habitual",
  period: { label: "Periodo", day: "24 horas", week: "7 días", month: "30 días" },
  plots: {
    tokens: "Tokens emitidos",
    sign_ins: "Inicios de sesión según su resultado",
    refusals: "Solicitudes fallidas",
    moment: { day: "Hora (UTC)", week: "Seis horas desde (UTC)", month: "Día (UTC)" },
    table: "Mostrar como tabla",
    summary: (total, most, when) => `${total} en total; el máximo, ${most}, desde ${when}`,
    nothing: "Nada en este periodo",
  },
  series: {
    tokens_code: "Código de autorización",
    tokens_refresh: "Renovación",
    tokens_machine: "Máquinas",
    sign_ins: "Correctos",
    sign_in_failures: "Fallidos",
    refusals: "Fallidas",
  },
  apps: {
    title: "Aplicaciones más usadas",
    mine: "Tus aplicaciones",
    app: "Aplicación",
    tokens: "Tokens en este periodo",
    none: "Ninguna aplicación obtuvo un token en este periodo.",
    noneOfMine:
      "Aún no tienes ninguna aplicación. Pide una a quien administra tu organización o este servidor.",
    all: "Todas las aplicaciones",
  },
  refusals: {
    title: "Últimas solicitudes fallidas",
    when: "Cuándo",
    reference: "Referencia",
    app: "Aplicación",
    error: "Motivo",
    none: "No hay solicitudes fallidas recientes.",
    all: "Todas las solicitudes fallidas",
  },
  failures: {
    title: "Últimos inicios de sesión fallidos",
    when: "Cuándo",
    who: "Usuario",
    from: "Desde",
    reason: "Motivo",
    nobody: "una dirección desconocida",
    none: "No hay inicios de sesión fallidos recientes.",
    all: "Todos los inicios de sesión fallidos",
    reasons: {
      unknown_user: "dirección desconocida",
      wrong_password: "contraseña incorrecta",
      wrong_passkey: "llave de acceso incorrecta",
      wrong_totp: "código incorrecto de una aplicación de autenticación",
      wrong_recovery_code: "código de recuperación incorrecto",
      wrong_mail_code: "código por correo incorrecto",
      unproved: "sin confirmar por la llave de acceso o el proveedor",
      inactive_user: "cuenta desactivada",
      throttled: "demasiados intentos",
      changed_meanwhile: "cuenta modificada durante el inicio de sesión",
      foreign_password_over: "contraseña importada caducada",
    },
  },
  first: {
    title: "Tres pasos hasta el primer inicio de sesión",
    lead: "Aún no hay ninguna aplicación. En cuanto se use una, sus cifras aparecerán aquí.",
    make: {
      title: "Crea una aplicación",
      text: "Representa a una de las tuyas: su nombre, su tipo y adónde puede volver el navegador.",
      link: "Crear la primera aplicación",
    },
    values: {
      title: "Pon sus valores en tu aplicación",
      text: (path) =>
        html`La página de la aplicación tiene fragmentos para pegar. Toda biblioteca que lea ${path} descubre el resto.`,
    },
    sign_in: {
      title: "Inicia sesión",
      text: "Pruébalo desde la página de la aplicación o desde la tuya. El token se cuenta aquí en menos de un segundo.",
    },
  },
};
