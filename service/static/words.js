// What the page itself says, in the languages that the announcements come in.
"use strict";

const WORDS = {
  en: {
    setUpAgain: "Set up", drill: "Drill", language: "Language", speak: "Speak", connecting: "connecting", watching: "watching",
    again: "not connected, trying again", crowded: "too many pages are open with this key; trying again", over: "the recording is over",
    picture: "Live picture", seen: "The table as the camera sees it",
    waiting: "Waiting for the first picture", table: "Table", announcements: "Announcements",
    nothing: "What is announced appears here: who is ready, who pays what, what is wrong.",
    log: "What happened", hand: "hand {count}", left: "tiles left", dealer: "dealer",
    ready: "ready", wins: "wins", honba: "counters {count}", deposits: "on the table {count}",
    staying: "stays: {count}", riichi: "riichi",
    described: "{name}: {points} points, {tiles} tiles in hand, {river} discards",
    round: "{wind} round", "1z": "East", "2z": "South", "3z": "West", "4z": "North",
    "indicator.dora": "Dora", "indicator.kan_dora": "Kan dora", "indicator.ura_dora": "Ura dora",
    "indicator.treasure": "Treasure", "indicator.fortune": "Indicator", "indicator.wild": "Fortune",
    seatNumber: "Seat {seat}", own: "For you alone", hint: "Give me a hint", always: "Always", glossary: "Glossary",
    why: "Line by line", not_yours: "This is no seat's key: scan the seat's code again",
    seats: "Pages of the seats", codes: "Show the codes",
    renew: "New codes: the old ones open nothing any more", renewSure: "Make all codes and addresses of this table new? Everybody has to scan again.",
    others: "Codes for watching and for putting the record right", "for.viewer": "To watch", "for.scorer": "To put the record right",
    "trouble.moved": "the camera was moved, or the table cannot be seen", "trouble.gone": "the camera sends no pictures any more",
    "trouble.unwritten": "the record cannot be written", "trouble.frozen": "the picture stands still", "trouble.slow": "too few pictures a second come", "trouble.size": "the pictures have another size, and no table is seen in them", "trouble.mirrored": "the picture is mirrored the wrong way: tiles are misread; set the table up again",
    scan: "Each player scans the code of the own seat; whoever scans it sees that hand.",
  },
  zh: {
    setUpAgain: "设置", drill: "练习", language: "语言", speak: "朗读", connecting: "正在连接", watching: "正在观看",
    again: "连接已断开，正在重试", crowded: "用这个密钥打开的页面太多，正在重试", over: "录像已播完",
    picture: "实时画面", seen: "摄像头看到的牌桌",
    waiting: "正在等待第一幅画面", table: "牌桌", announcements: "播报",
    nothing: "这里显示播报：谁听牌、谁付多少、哪里不对。",
    log: "牌局记录", hand: "第 {count} 局", left: "剩余牌数", dealer: "庄",
    ready: "听牌", wins: "和牌", honba: "{count} 本场", deposits: "桌上供托 {count}",
    staying: "连庄 {count}", riichi: "立直",
    described: "{name}：{points} 分，手牌 {tiles} 张，弃牌 {river} 张",
    round: "{wind}风圈", "1z": "东", "2z": "南", "3z": "西", "4z": "北",
    "indicator.dora": "宝牌", "indicator.kan_dora": "杠宝牌", "indicator.ura_dora": "里宝牌",
    "indicator.treasure": "宝牌", "indicator.fortune": "翻牌", "indicator.wild": "财神",
    seatNumber: "{seat}号位", own: "仅你可见", hint: "给我提示", always: "始终提示", glossary: "术语",
    why: "逐项说明", not_yours: "密钥不属于任何座位：请重新扫描座位的二维码",
    seats: "座位页面", codes: "显示二维码",
    renew: "更换二维码：旧码立即失效", renewSure: "要更换本桌所有二维码和地址吗？所有人都需要重新扫码。",
    others: "观看和更正记录用的二维码", "for.viewer": "观看", "for.scorer": "更正记录",
    "trouble.moved": "摄像头移动了，或看不到牌桌；重新找到牌桌前暂停识别", "trouble.gone": "摄像头没有画面，正在等待恢复",
    "trouble.unwritten": "记录无法写入磁盘，请腾出空间；写入之前不再播报",
    "trouble.frozen": "画面静止不动，请检查摄像头；恢复前暂停识别", "trouble.slow": "每秒画面太少，可能漏看短暂放下的牌", "trouble.size": "画面尺寸变了，看不到牌桌", "trouble.mirrored": "画面左右相反，会认错牌；请重新设置牌桌",
    scan: "每位玩家只扫描自己座位的二维码；扫描者能看到那一家的手牌。",
  },
  ja: {
    setUpAgain: "設定", drill: "練習", language: "言語", speak: "読み上げ", connecting: "接続中", watching: "観戦中",
    again: "切断されました。再接続しています", crowded: "この鍵で開かれているページが多すぎます。再試行しています", over: "録画は終わりました",
    picture: "ライブ映像", seen: "カメラから見た卓",
    waiting: "最初の映像を待っています", table: "卓", announcements: "アナウンス",
    nothing: "ここにアナウンスが出ます：誰がテンパイか、誰がいくら払うか、何がおかしいか。",
    log: "経過", hand: "{count} 局目", left: "残り枚数", dealer: "親",
    ready: "テンパイ", wins: "和了", honba: "{count} 本場", deposits: "供託 {count}",
    staying: "連荘 {count}", riichi: "リーチ",
    described: "{name}：{points} 点、手牌 {tiles} 枚、捨て牌 {river} 枚",
    round: "{wind}場", "1z": "東", "2z": "南", "3z": "西", "4z": "北",
    "indicator.dora": "ドラ表示", "indicator.kan_dora": "槓ドラ表示", "indicator.ura_dora": "裏ドラ表示",
    "indicator.treasure": "宝牌", "indicator.fortune": "表示牌", "indicator.wild": "財神",
    seatNumber: "席{seat}", own: "あなただけに見える情報", hint: "ヒント", always: "常に表示", glossary: "用語集",
    why: "内訳", not_yours: "この席の鍵ではありません。席のコードを読み直してください",
    seats: "各席のページ", codes: "コードを表示",
    renew: "コードを作り直す：古いコードは無効になります", renewSure: "この卓のコードとアドレスをすべて作り直しますか？全員がもう一度読み取る必要があります。",
    others: "観戦用と記録訂正用のコード", "for.viewer": "観戦用", "for.scorer": "記録の訂正用",
    "trouble.moved": "カメラが動いたか、卓が見えません。卓が見つかるまで読み取りを止めています", "trouble.gone": "カメラの映像が途絶えました。再開を待っています",
    "trouble.unwritten": "記録をディスクに書き込めません。空きを作ってください。それまでアナウンスを止めています",
    "trouble.frozen": "映像が止まっています。カメラを確認してください。動くまで読み取りを止めています", "trouble.slow": "映像のコマ数が足りず、短時間だけ置かれた牌を見落とすことがあります", "trouble.size": "映像のサイズが変わり、卓が見えません", "trouble.mirrored": "映像の左右が逆で、牌を読み違えます。卓を設定し直してください",
    scan: "自分の席のコードだけを読み取ってください。読み取った人にはその手牌が見えます。",
  },
};
const VOICES = { en: "en-US", zh: "zh-CN", ja: "ja-JP" };
const LANGUAGE_KEPT = "tilesight-language";

let language = localStorage.getItem(LANGUAGE_KEPT);
if (!(language in WORDS)) language = null;

// What a script of a page says beside it; every key stands in every language, and once.
function addWords(tables) {
  for (const [lang, table] of Object.entries(tables)) Object.assign(WORDS[lang], table);
}

function word(key, values = {}) {
  const said = WORDS[language ?? "en"][key] ?? key;
  return said.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// Who has no name is called by the seat; the server does so in English.
function nameOf(names, seat) {
  return [`Seat ${seat}`, ""].includes(names[seat]) ? word("seatNumber", { seat }) : names[seat];
}

const namesOf = (names) => names.map((_, seat) => nameOf(names, seat));

// What has more to say in English than it has words for, such as a figure, says it there.
function wordsOf(element) {
  const { word: key, english } = element.dataset;
  return ((language ?? "en") === "en" && english) || word(key);
}

const inLanguage = (texts) => texts[language ?? "en"];

// What the server says in every language is kept on the element, so that it changes with the language.
function showTexts(element, texts) {
  element.dataset.texts = JSON.stringify(texts);
  element.textContent = inLanguage(texts);
}

// "data-word" is what an element says, "data-label" what a screen reader calls it.
function translatePage() {
  document.documentElement.lang = { zh: "zh-Hans" }[language] ?? language ?? "en";
  for (const each of document.querySelectorAll("[data-word]")) {
    each.textContent = wordsOf(each);
  }
  for (const each of document.querySelectorAll("[data-texts]")) {
    each.textContent = inLanguage(JSON.parse(each.dataset.texts));
  }
  for (const each of document.querySelectorAll("[data-label]")) {
    each.setAttribute("aria-label", word(each.dataset.label));
  }
}

// Until a person chooses, the page speaks the language that the table was started with.
function proposeLanguage(lang) {
  if (language !== null || !(lang in WORDS)) return;
  language = lang;
  document.getElementById("language").value = lang;
  translatePage();
}

function offerLanguages(changed) {
  const choice = document.getElementById("language");
  if (language !== null) choice.value = language;
  choice.addEventListener("change", () => {
    language = choice.value;
    localStorage.setItem(LANGUAGE_KEPT, language);
    translatePage();
    changed();
  });
  translatePage();
}
