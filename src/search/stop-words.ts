/**
 * Words that carry the grammar of a sentence or the courtesy of a request, never its subject. Verbs of action stay out
 * of it: `get`, `find` and `list` tell tools apart (without them the five sets of the benchmark lose .004 to .006).
 */
const ENGLISH = `
  a an the and or but nor so if then than that this these those there here it its itself
  i im ive me my mine myself you your yours yourself he him his himself she her hers herself we us our ours ourselves
  they them their theirs themselves one someone something anyone anything
  is are was were be been being am do does did doing done have has had having
  can could will would shall should may might must able
  don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ll re ve s t d m
  of to in on at by for from with without into onto about as during before after again between through
  what which who whom whose when where why how
  all any both each few more most other some such no not only very just also too really
  please help thanks thank want need like let lets
  use used uses using eg ie etc`;

const RUSSIAN = `
  и а но или да же ли бы не ни что чтобы как так это этот эта эти этого тот та те то когда где куда откуда почему зачем
  если для от до из у к ко с со в во на над под при про о об обо по за через между без
  я мы ты вы он она оно они мне меня мой моя мое мои нам нас наш наша вам вас ваш его ее их им
  быть был была были есть будет можно нужно надо хочу хотим пожалуйста который которая которые которое`;

/** Particles and auxiliaries as `Intl.Segmenter` cuts them off. */
const CHINESE_AND_JAPANESE = `
  的 了 和 与 與 及 或 在 是 到 从 從 对 對 把 被 将 將 为 為 我 你 您 他 她 它 我们 你们 这 這 那 个 個 请 請 怎么 怎樣 如何 什么
  の に は を た が で て と し れ さ も や へ か な です ます する した して いる ある こと もの これ それ この その から まで よう`;

/** Particles and auxiliaries, as they stand alone or beside a foreign word. */
const KOREAN = `을 를 이 가 은 는 에 로 으로 의 와 과 도 만 에서 에게 하는 하다 하고 싶다 있는 있다 방법 어떻게`;

/** Folded words that are never indexed and never searched for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `${ENGLISH} ${RUSSIAN} ${CHINESE_AND_JAPANESE} ${KOREAN}`.split(/\s+/).filter((word) => word !== ''),
);
