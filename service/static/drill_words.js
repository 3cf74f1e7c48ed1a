// What the drill says.
"use strict";

addWords({
  en: {
    "offer.pass": "Let it pass", "offer.win": "Win", "offer.chow": "Chow", "offer.pung": "Pung", "offer.kong": "Kong",
    "offer.ready": ", ready", whatClaim: "{name} discards: what do you do?", wentElsewhere: "At the table another player took it.",
    whoseDrill: "Whose decisions", whatDiscard: "Which tile do you discard?",
    decisionCount: "Hand {hand}, decision {at} of {count}", decisionBefore: "Before", decisionNext: "Next",
    goodChoice: "Good: nothing is better.", otherChoice: "There is something better.",
    "behind.win": "The hand was complete.", "behind.never": "The hand then gets ready no more.",
    "behind.steps": "{steps} further from ready.", "behind.tiles": "As near, but {left} useful tiles are left, not {best}.",
    "behind.waits": "Ready as well, but {left} winning tiles are left, not {best}.", "behind.no_step": "It brings the hand no step nearer.",
    playedThat: "played", yourChoice: "your choice", playedWas: "At the table:",
    tallied: "{good} of {count} as good as the best, {same} as it was played",
    noDecisions: "There is no decision to make: the hand of this seat has not been seen.",
  },
  zh: {
    "offer.pass": "过", "offer.win": "和", "offer.chow": "吃", "offer.pung": "碰", "offer.kong": "杠",
    "offer.ready": "，听牌", whatClaim: "{name}打出这张牌，你怎么办？", wentElsewhere: "实战中这张牌被别家拿走了。",
    whoseDrill: "练习哪一家", whatDiscard: "你打哪一张？",
    decisionCount: "第 {hand} 局，第 {at} 个决定，共 {count} 个", decisionBefore: "上一个", decisionNext: "下一个",
    goodChoice: "很好：没有更好的打法。", otherChoice: "还有更好的打法。",
    "behind.win": "这手牌已经和了。", "behind.never": "这样就再也听不了牌。",
    "behind.steps": "离听牌远了 {steps} 步。", "behind.tiles": "向听数相同，但有效牌只剩 {left} 张，而不是 {best} 张。",
    "behind.waits": "同样听牌，但待牌只剩 {left} 张，而不是 {best} 张。", "behind.no_step": "向听数没有前进。",
    playedThat: "实战", yourChoice: "你的选择", playedWas: "实战打出：",
    tallied: "{count} 次中 {good} 次与最佳相当，{same} 次与实战相同",
    noDecisions: "没有可练习的决定：这个座位的手牌没有被看到。",
  },
  ja: {
    "offer.pass": "見送る", "offer.win": "和了", "offer.chow": "チー", "offer.pung": "ポン", "offer.kong": "カン",
    "offer.ready": "、テンパイ", whatClaim: "{name}の打牌です。どうしますか。", wentElsewhere: "実戦では他家がこの牌を取りました。",
    whoseDrill: "練習する席", whatDiscard: "どの牌を切りますか。",
    decisionCount: "{hand} 局目、{count} 回中 {at} 回目の判断", decisionBefore: "前へ", decisionNext: "次へ",
    goodChoice: "よい選択です。これより良い打牌はありません。", otherChoice: "もっと良い打牌があります。",
    "behind.win": "和了形でした。", "behind.never": "これではテンパイできなくなります。",
    "behind.steps": "テンパイまで {steps} 手遠くなります。", "behind.tiles": "シャンテン数は同じですが、有効牌は {best} 枚ではなく {left} 枚です。",
    "behind.waits": "同じテンパイですが、待ち牌は {best} 枚ではなく {left} 枚です。", "behind.no_step": "手が進みません。",
    playedThat: "実戦", yourChoice: "あなたの選択", playedWas: "実戦では：",
    tallied: "{count} 回中、最善と同等 {good} 回、実戦と同じ {same} 回",
    noDecisions: "判断できる場面がありません。この席の手牌は見えていません。",
  },
});
