// What the dialogs say that put the record right.
"use strict";

Object.assign(WORDS.en, {
  undo: "Undo", redo: "Redo", add: "Add an event", fouls: "Fouls", close: "Close",
  mend: "What really happened?", phantom: "It did not happen", insert: "Something before it is missing",
  solves: "solves a problem", save: "Save", confirm: "Confirm", cancel: "Cancel it", correct: "Correct it",
  confirmed: "confirmed", noFouls: "Nothing against the rules has been seen.", tile: "Tile", kind: "Kind",
  seat: "Who", from: "From", own: "Own tiles", hand_tiles: "Hand without the winning tile", offence: "Offence",
  readyClaim: "claims ready", type: "What", reason: "Why", unreachable: "The table does not answer; try again",
  discard: "Discard", draw: "Draw", chow: "Chow", pung: "Pung", kong: "Kong", win: "Win", reveal: "Hand shown",
  foul: "Foul", indicator: "Indicator", drawn_hand: "Nobody wins", hand_end: "The hand ends",
  hand_start: "A hand starts", game_end: "The game ends", mendLabel: "Correct: ",
});
Object.assign(WORDS.zh, {
  undo: "撤销", redo: "重做", add: "补记", fouls: "犯规", close: "关闭",
  mend: "实际发生了什么？", phantom: "没有发生", insert: "在此之前漏记了",
  solves: "可消除问题", save: "保存", confirm: "确认", cancel: "取消", correct: "更正",
  confirmed: "已确认", noFouls: "没有发现违规。", tile: "牌", kind: "种类",
  seat: "谁", from: "来自", own: "自己的牌", hand_tiles: "手牌（不含和牌张）", offence: "犯规",
  readyClaim: "报听", type: "事件", reason: "原因", unreachable: "牌桌没有回应，请重试",
  discard: "打牌", draw: "摸牌", chow: "吃", pung: "碰", kong: "杠", win: "和牌", reveal: "亮牌",
  foul: "犯规", indicator: "指示牌", drawn_hand: "流局", hand_end: "本局结束",
  hand_start: "开局", game_end: "游戏结束", mendLabel: "更正：",
});
Object.assign(WORDS.ja, {
  undo: "元に戻す", redo: "やり直す", add: "追加する", fouls: "反則", close: "閉じる",
  mend: "実際は何でしたか", phantom: "起きていない", insert: "この前に抜けがある",
  solves: "問題が消える", save: "保存", confirm: "確定", cancel: "取り消す", correct: "訂正する",
  confirmed: "確定済み", noFouls: "反則は見つかっていません。", tile: "牌", kind: "種類",
  seat: "誰", from: "誰から", own: "自分の牌", hand_tiles: "和了牌を除く手牌", offence: "反則",
  readyClaim: "立直", type: "出来事", reason: "理由", unreachable: "卓が応答しません。もう一度試してください",
  discard: "打牌", draw: "ツモ", chow: "チー", pung: "ポン", kong: "カン", win: "和了", reveal: "手牌公開",
  foul: "反則", indicator: "表示牌", drawn_hand: "流局", hand_end: "局の終了",
  hand_start: "局の開始", game_end: "終局", mendLabel: "訂正：",
});
