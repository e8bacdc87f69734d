/*!
The stemmers that infograph publishes for infograph.js are translations of those in the package snowballstemmer, which
Snowball (https://snowballstem.org/) generated; infograph/stemming/translation.py makes them. Snowball's licence:

Copyright (c) 2001, Dr Martin Porter
Copyright (c) 2004,2005, Richard Boulton
Copyright (c) 2013, Yoshiki Shibukawa
Copyright (c) 2006-2025, Olly Betts
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

  1. Redistributions of source code must retain the above copyright notice,
     this list of conditions and the following disclaimer.
  2. Redistributions in binary form must reproduce the above copyright notice,
     this list of conditions and the following disclaimer in the documentation
     and/or other materials provided with the distribution.
  3. Neither the name of the Snowball project nor the names of its contributors
     may be used to endorse or promote products derived from this software
     without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

/** The word that a Snowball program works on, in characters, and the commands of such a program. */
class Machine {
  stem(word) {
    this.current = [...word];
    this.cursor = this.limit_backward = this.bra = 0;
    this.limit = this.ket = this.current.length;
    this._stem();
    return this.current.join("");
  }

  in_grouping(group) {
    return this.step(this.cursor < this.limit && group.has(this.current[this.cursor]), 1);
  }

  out_grouping(group) {
    return this.step(this.cursor < this.limit && !group.has(this.current[this.cursor]), 1);
  }

  in_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && group.has(this.current[this.cursor - 1]), -1);
  }

  out_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && !group.has(this.current[this.cursor - 1]), -1);
  }

  step(taken, by) {
    if (taken) this.cursor += by;
    return taken;
  }

  go_in_grouping(group) {
    while (this.in_grouping(group));
    return this.cursor < this.limit;
  }

  go_out_grouping(group) {
    while (this.out_grouping(group));
    return this.cursor < this.limit;
  }

  go_in_grouping_b(group) {
    while (this.in_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  go_out_grouping_b(group) {
    while (this.out_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  eq_s(text) {
    const end = this.cursor + [...text].length;
    if (end > this.limit || this.between(this.cursor, end) !== text) return false;
    this.cursor = end;
    return true;
  }

  eq_s_b(text) {
    const start = this.cursor - [...text].length;
    if (start < this.limit_backward || this.between(start, this.cursor) !== text) return false;
    this.cursor = start;
    return true;
  }

  find_among({ sizes, places, rows }) {
    const start = this.cursor;
    for (const size of sizes) {
      const place = start + size <= this.limit ? places.get(this.between(start, start + size)) : undefined;
      if (place !== undefined) return this.among(rows, place, start, 1);
    }
    return 0;
  }

  find_among_b({ sizes, places, rows }) {
    const end = this.cursor;
    for (const size of sizes) {
      const place = end - size >= this.limit_backward ? places.get(this.between(end - size, end)) : undefined;
      if (place !== undefined) return this.among(rows, place, end, -1);
    }
    return 0;
  }

  /** The result of the first row, from a place on, whose condition holds; each says which one is next. */
  among(rows, place, from, direction) {
    while (place >= 0) {
      const [text, next, result, condition] = rows[place];
      const to = from + direction * [...text].length;
      this.cursor = to;
      if (!condition || this[condition]()) {
        this.cursor = to;
        return result;
      }
      place = next;
    }
    return 0;
  }

  between(start, end) {
    return this.current.slice(start, end).join("");
  }

  slice_to() {
    return this.between(this.bra, this.ket);
  }

  slice_from(text) {
    this.replace(this.bra, this.ket, text);
    this.ket = this.bra + [...text].length;
  }

  slice_del() {
    this.slice_from("");
  }

  insert(start, end, text) {
    const longer = this.replace(start, end, text);
    if (start <= this.bra) this.bra += longer;
    if (start <= this.ket) this.ket += longer;
  }

  replace(start, end, text) {
    const letters = [...text];
    const longer = letters.length - (end - start);
    this.current.splice(start, end - start, ...letters);
    this.limit += longer;
    if (this.cursor >= end) this.cursor += longer;
    else if (this.cursor > start) this.cursor = start;
    return longer;
  }
}

/** The rows of a Snowball `among`: text, place of the longest other row that it begins (or ends) with, result, condition. */
function table(...rows) {
  const sizes = [...new Set(rows.map(([text]) => [...text].length))].sort((a, b) => b - a);
  return { rows, sizes, places: new Map(rows.map(([text], place) => [text, place])) };
}

class YiddishStemmer extends Machine {
  g_niked = new Set("ְֱֲֳִֵֶַָֹֻּֿׁׂ");
  g_vowel = new Set("אויעױײ");
  g_consonant = new Set("בגדהזחטךכלםמןנסףפץצקרשתװ");
  I_p1 = 0;

  r_prelude() {
    let $among_var, $v_1, $v_2, $v_3, $v_4, $v_5, $v_6;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          while (true) {
            $v_3 = this.cursor;
            lab2: {
              this.bra = this.cursor;
              $among_var = this.find_among(this.a_0);
              if ($among_var === 0) {
                break lab2;
              }
              this.ket = this.cursor;
              if ($among_var === 1) {
                lab3: {
                  if (this.cursor === this.limit || this.current[this.cursor] !== "ּ") {
                    break lab3;
                  }
                  this.cursor += 1;
                  break lab2;
                }
                this.slice_from("װ");
              } else if ($among_var === 2) {
                lab3: {
                  if (this.cursor === this.limit || this.current[this.cursor] !== "ִ") {
                    break lab3;
                  }
                  this.cursor += 1;
                  break lab2;
                }
                this.slice_from("ױ");
              } else if ($among_var === 3) {
                lab3: {
                  if (this.cursor === this.limit || this.current[this.cursor] !== "ִ") {
                    break lab3;
                  }
                  this.cursor += 1;
                  break lab2;
                }
                this.slice_from("ײ");
              } else if ($among_var === 4) {
                this.slice_from("כ");
              } else if ($among_var === 5) {
                this.slice_from("מ");
              } else if ($among_var === 6) {
                this.slice_from("נ");
              } else if ($among_var === 7) {
                this.slice_from("פ");
              } else {
                this.slice_from("צ");
              }
              this.cursor = $v_3;
              break;
            }
            this.cursor = $v_3;
            if (this.cursor >= this.limit) {
              break lab1;
            }
            this.cursor += 1;
          }
          continue;
        }
        this.cursor = $v_2;
        break;
      }
    }
    this.cursor = $v_1;
    $v_4 = this.cursor;
    lab0: {
      while (true) {
        $v_5 = this.cursor;
        lab1: {
          while (true) {
            $v_6 = this.cursor;
            lab2: {
              this.bra = this.cursor;
              if (!this.in_grouping(this.g_niked)) {
                break lab2;
              }
              this.ket = this.cursor;
              this.slice_del();
              this.cursor = $v_6;
              break;
            }
            this.cursor = $v_6;
            if (this.cursor >= this.limit) {
              break lab1;
            }
            this.cursor += 1;
          }
          continue;
        }
        this.cursor = $v_5;
        break;
      }
    }
    this.cursor = $v_4;
    return true;
  }

  r_mark_regions() {
    let $I_x, $v_1, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    this.I_p1 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      this.bra = this.cursor;
      if (!this.eq_s("גע")) {
        this.cursor = $v_1;
        break lab0;
      }
      this.ket = this.cursor;
      $v_2 = this.cursor;
      lab1: {
        while (true) {
          lab2: {
            if (!this.eq_s("לט")) {
              break lab2;
            }
            break;
          }
          lab2: {
            if (!this.eq_s("בנ")) {
              break lab2;
            }
            break;
          }
          if (this.cursor < this.limit) {
            break lab1;
          }
          break;
        }
        this.cursor = $v_1;
        break lab0;
      }
      this.cursor = $v_2;
      this.slice_from("GE");
    }
    $v_3 = this.cursor;
    lab0: {
      if (this.find_among(this.a_1) === 0) {
        this.cursor = $v_3;
        break lab0;
      }
      while (true) {
        $v_4 = this.cursor;
        lab1: {
          $v_5 = this.cursor;
          while (true) {
            lab2: {
              if (!this.eq_s("צוגנ")) {
                break lab2;
              }
              break;
            }
            lab2: {
              if (!this.eq_s("צוקט")) {
                break lab2;
              }
              break;
            }
            if (!this.eq_s("צוקנ")) {
              break lab1;
            }
            break;
          }
          if (this.cursor < this.limit) {
            break lab1;
          }
          this.cursor = $v_5;
          break;
        }
        this.cursor = $v_4;
        lab1: {
          $v_6 = this.cursor;
          if (!this.eq_s("געבנ")) {
            break lab1;
          }
          this.cursor = $v_6;
          break;
        }
        this.cursor = $v_4;
        lab1: {
          this.bra = this.cursor;
          if (!this.eq_s("גע")) {
            break lab1;
          }
          this.ket = this.cursor;
          this.slice_from("GE");
          break;
        }
        this.cursor = $v_4;
        this.bra = this.cursor;
        if (!this.eq_s("צו")) {
          this.cursor = $v_3;
          break lab0;
        }
        this.ket = this.cursor;
        this.slice_from("TSU");
        break;
      }
    }
    $v_7 = this.cursor;
    if (this.cursor + 3 > this.limit) {
      return false;
    }
    this.cursor += 3;
    $I_x = this.cursor;
    this.cursor = $v_7;
    $v_8 = this.cursor;
    lab0: {
      if (this.find_among(this.a_2) === 0) {
        this.cursor = $v_8;
        break lab0;
      }
    }
    $v_9 = this.cursor;
    lab0: {
      if (!this.in_grouping(this.g_consonant)) {
        break lab0;
      }
      if (!this.in_grouping(this.g_consonant)) {
        break lab0;
      }
      if (!this.in_grouping(this.g_consonant)) {
        break lab0;
      }
      this.I_p1 = this.cursor;
      return false;
    }
    this.cursor = $v_9;
    if (!this.go_out_grouping(this.g_vowel)) {
      return false;
    }
    this.cursor += 1;
    if (!this.go_in_grouping(this.g_vowel)) {
      return false;
    }
    this.I_p1 = this.cursor;
    lab0: {
      if (this.I_p1 >= $I_x) {
        break lab0;
      }
      this.I_p1 = $I_x;
    }
    return true;
  }

  r_R1() {
    return this.I_p1 <= this.cursor;
  }

  r_standard_suffix() {
    let $among_var, $v_1, $v_10, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    $v_1 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_4);
      if ($among_var === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if ($among_var === 1) {
        if (!this.r_R1()) {
          break lab0;
        }
        this.slice_del();
      } else if ($among_var === 2) {
        if (!this.r_R1()) {
          break lab0;
        }
        this.slice_from("יע");
      } else if ($among_var === 3) {
        if (!this.r_R1()) {
          break lab0;
        }
        this.slice_del();
        this.ket = this.cursor;
        $among_var = this.find_among_b(this.a_3);
        if ($among_var === 0) {
          break lab0;
        }
        this.bra = this.cursor;
        this.slice_from(this.as_3[$among_var - 1]);
      } else if ($among_var === 4) {
        while (true) {
          $v_2 = this.limit - this.cursor;
          lab1: {
            if (!this.r_R1()) {
              break lab1;
            }
            this.slice_del();
            break;
          }
          this.cursor = this.limit - $v_2;
          this.slice_from("ט");
          break;
        }
        this.ket = this.cursor;
        if (!this.eq_s_b("בראכ")) {
          break lab0;
        }
        $v_3 = this.limit - this.cursor;
        lab1: {
          if (!this.eq_s_b("גע")) {
            this.cursor = this.limit - $v_3;
            break lab1;
          }
        }
        this.bra = this.cursor;
        this.slice_from("ברענג");
      } else if ($among_var === 5) {
        this.slice_from("גײ");
      } else if ($among_var === 6) {
        this.slice_from("נעמ");
      } else if ($among_var === 7) {
        this.slice_from("שרײב");
      } else if ($among_var === 8) {
        this.slice_from("מײד");
      } else if ($among_var === 9) {
        this.slice_from("בײט");
      } else if ($among_var === 10) {
        this.slice_from("בײס");
      } else if ($among_var === 11) {
        this.slice_from("װײז");
      } else if ($among_var === 12) {
        this.slice_from("טרײב");
      } else if ($among_var === 13) {
        this.slice_from("לײט");
      } else if ($among_var === 14) {
        this.slice_from("קלײב");
      } else if ($among_var === 15) {
        this.slice_from("רײב");
      } else if ($among_var === 16) {
        this.slice_from("רײס");
      } else if ($among_var === 17) {
        this.slice_from("שװײג");
      } else if ($among_var === 18) {
        this.slice_from("שמײס");
      } else if ($among_var === 19) {
        this.slice_from("שנײד");
      } else if ($among_var === 20) {
        this.slice_from("בינד");
      } else if ($among_var === 21) {
        this.slice_from("װיטש");
      } else if ($among_var === 22) {
        this.slice_from("זינג");
      } else if ($among_var === 23) {
        this.slice_from("טרינק");
      } else if ($among_var === 24) {
        this.slice_from("צװינג");
      } else if ($among_var === 25) {
        this.slice_from("שלינג");
      } else if ($among_var === 26) {
        this.slice_from("בײג");
      } else if ($among_var === 27) {
        this.slice_from("הײב");
      } else if ($among_var === 28) {
        this.slice_from("פארליר");
      } else if ($among_var === 29) {
        this.slice_from("שטײ");
      } else if ($among_var === 30) {
        this.slice_from("שװער");
      } else if ($among_var === 31) {
        this.slice_from("ברענג");
      } else if ($among_var === 32) {
        if (!this.r_R1()) {
          break lab0;
        }
        this.slice_from("ה");
      } else if ($among_var === 33) {
        while (true) {
          $v_4 = this.limit - this.cursor;
          lab1: {
            while (true) {
              lab2: {
                if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ג") {
                  break lab2;
                }
                this.cursor -= 1;
                break;
              }
              if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ש") {
                break lab1;
              }
              this.cursor -= 1;
              break;
            }
            $v_5 = this.limit - this.cursor;
            lab2: {
              if (this.I_p1 > this.cursor + 3) {
                this.cursor = this.limit - $v_5;
                break lab2;
              }
              this.slice_from("יס");
            }
            break;
          }
          this.cursor = this.limit - $v_4;
          if (!this.r_R1()) {
            break lab0;
          }
          this.slice_del();
          break;
        }
      }
    }
    this.cursor = this.limit - $v_1;
    $v_6 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_5);
      if ($among_var === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if ($among_var === 1) {
        if (!this.r_R1()) {
          break lab0;
        }
        this.slice_del();
      } else {
        if (!this.r_R1()) {
          break lab0;
        }
        if (!this.in_grouping_b(this.g_consonant)) {
          break lab0;
        }
        this.slice_del();
      }
    }
    this.cursor = this.limit - $v_6;
    $v_7 = this.limit - this.cursor;
    lab0: {
      this.ket = this.cursor;
      $among_var = this.find_among_b(this.a_6);
      if ($among_var === 0) {
        break lab0;
      }
      this.bra = this.cursor;
      if ($among_var === 1) {
        if (!this.r_R1()) {
          break lab0;
        }
        this.slice_del();
      }
    }
    this.cursor = this.limit - $v_7;
    $v_8 = this.limit - this.cursor;
    lab0: {
      while (true) {
        $v_9 = this.limit - this.cursor;
        lab1: {
          while (true) {
            $v_10 = this.limit - this.cursor;
            lab2: {
              this.ket = this.cursor;
              while (true) {
                lab3: {
                  if (!this.eq_s_b("GE")) {
                    break lab3;
                  }
                  break;
                }
                if (!this.eq_s_b("TSU")) {
                  break lab2;
                }
                break;
              }
              this.bra = this.cursor;
              this.slice_del();
              this.cursor = this.limit - $v_10;
              break;
            }
            this.cursor = this.limit - $v_10;
            if (this.cursor <= this.limit_backward) {
              break lab1;
            }
            this.cursor -= 1;
          }
          continue;
        }
        this.cursor = this.limit - $v_9;
        break;
      }
    }
    this.cursor = this.limit - $v_8;
    return true;
  }

  _stem() {
    let $v_1;
    this.r_prelude();
    $v_1 = this.cursor;
    this.r_mark_regions();
    this.cursor = $v_1;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    this.r_standard_suffix();
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["וו", -1, 1],
    ["וי", -1, 2],
    ["יי", -1, 3],
    ["ך", -1, 4],
    ["ם", -1, 5],
    ["ן", -1, 6],
    ["ף", -1, 7],
    ["ץ", -1, 8],
  );
  a_1 = table(
    ["אדורכ", -1, 1],
    ["אהינ", -1, 1],
    ["אהער", -1, 1],
    ["אהײמ", -1, 1],
    ["אומ", -1, 1],
    ["אונטער", -1, 1],
    ["איבער", -1, 1],
    ["אנ", -1, 1],
    ["אנט", 7, 1],
    ["אנטקעגנ", 8, 1],
    ["אנידער", 7, 1],
    ["אפ", -1, 1],
    ["אפיר", 11, 1],
    ["אקעגנ", -1, 1],
    ["אראפ", -1, 1],
    ["ארומ", -1, 1],
    ["ארונטער", -1, 1],
    ["אריבער", -1, 1],
    ["ארױס", -1, 1],
    ["ארױפ", -1, 1],
    ["ארײנ", -1, 1],
    ["אװעק", -1, 1],
    ["אױס", -1, 1],
    ["אױפ", -1, 1],
    ["אײנ", -1, 1],
    ["בא", -1, 1],
    ["בײ", -1, 1],
    ["דורכ", -1, 1],
    ["דער", -1, 1],
    ["מיט", -1, 1],
    ["נאכ", -1, 1],
    ["פאר", -1, 1],
    ["פארבײ", 31, 1],
    ["פארױס", 31, 1],
    ["פונאנדער", -1, 1],
    ["צו", -1, 1],
    ["צוזאמענ", 35, 1],
    ["צונױפ", 35, 1],
    ["צוריק", 35, 1],
    ["צע", -1, 1],
  );
  a_2 = table(
    ["דזש", -1, -1],
    ["שטר", -1, -1],
    ["שטש", -1, -1],
    ["שפר", -1, -1],
  );
  a_3 = table(
    ["קליב", -1, 9],
    ["ריב", -1, 10],
    ["טריב", 1, 7],
    ["שריב", 1, 15],
    ["הױב", -1, 23],
    ["שװיג", -1, 12],
    ["גאנג", -1, 1],
    ["זונג", -1, 18],
    ["שלונג", -1, 21],
    ["צװונג", -1, 20],
    ["בױג", -1, 22],
    ["בונד", -1, 16],
    ["װיז", -1, 6],
    ["ביט", -1, 4],
    ["ליט", -1, 8],
    ["מיט", -1, 3],
    ["שניט", -1, 14],
    ["נומ", -1, 2],
    ["שטאנ", -1, 25],
    ["ביס", -1, 5],
    ["שמיס", -1, 13],
    ["ריס", -1, 11],
    ["טרונק", -1, 19],
    ["פארלױר", -1, 24],
    ["שװױר", -1, 26],
    ["װוטש", -1, 17],
  );
  as_3 = ["גײ", "נעמ", "מײד", "בײט", "בײס", "װײז", "טרײב", "לײט", "קלײב", "רײב", "רײס", "שװײג", "שמײס", "שנײד", "שרײב", "בינד", "װיטש", "זינג", "טרינק", "צװינג", "שלינג", "בײג", "הײב", "פארליר", "שטײ", "שװער"];
  a_4 = table(
    ["ונג", -1, 1],
    ["סטו", -1, 1],
    ["ט", -1, 1],
    ["בראכט", 2, 31],
    ["סט", 2, 1],
    ["יסט", 4, 33],
    ["עט", 2, 1],
    ["שאפט", 2, 1],
    ["הײט", 2, 1],
    ["קײט", 2, 1],
    ["יקײט", 9, 1],
    ["לעכ", -1, 1],
    ["עלעכ", 11, 1],
    ["יזמ", -1, 1],
    ["ימ", -1, 1],
    ["עמ", -1, 1],
    ["ענעמ", 15, 3],
    ["טענעמ", 16, 4],
    ["נ", -1, 1],
    ["קליבנ", 18, 14],
    ["ריבנ", 18, 15],
    ["טריבנ", 20, 12],
    ["שריבנ", 20, 7],
    ["הױבנ", 18, 27],
    ["שװיגנ", 18, 17],
    ["זונגנ", 18, 22],
    ["שלונגנ", 18, 25],
    ["צװונגנ", 18, 24],
    ["בױגנ", 18, 26],
    ["בונדנ", 18, 20],
    ["װיזנ", 18, 11],
    ["טנ", 18, 4],
    ["GEביטנ", 31, 9],
    ["GEליטנ", 31, 13],
    ["GEמיטנ", 31, 8],
    ["שניטנ", 31, 19],
    ["סטנ", 31, 1],
    ["יסטנ", 36, 1],
    ["עטנ", 31, 1],
    ["GEביסנ", 18, 10],
    ["שמיסנ", 18, 18],
    ["GEריסנ", 18, 16],
    ["ענ", 18, 1],
    ["גאנגענ", 42, 5],
    ["עלענ", 42, 1],
    ["נומענ", 42, 6],
    ["יזמענ", 42, 1],
    ["שטאנענ", 42, 29],
    ["טרונקנ", 18, 23],
    ["פארלױרנ", 18, 28],
    ["שװױרנ", 18, 30],
    ["װוטשנ", 18, 21],
    ["גײנ", 18, 5],
    ["ס", -1, 1],
    ["טס", 53, 4],
    ["עטס", 54, 1],
    ["נס", 53, 1],
    ["טנס", 56, 4],
    ["ענס", 56, 3],
    ["עס", 53, 1],
    ["יעס", 59, 2],
    ["עלעס", 59, 1],
    ["ערס", 53, 1],
    ["ענערס", 62, 1],
    ["ע", -1, 1],
    ["טע", 64, 4],
    ["סטע", 65, 1],
    ["עטע", 65, 1],
    ["יע", 64, -1],
    ["עלע", 64, 1],
    ["ענע", 64, 3],
    ["טענע", 70, 4],
    ["ער", -1, 1],
    ["טער", 72, 4],
    ["סטער", 73, 1],
    ["עטער", 73, 1],
    ["ענער", 72, 3],
    ["טענער", 76, 4],
    ["ות", -1, 32],
  );
  a_5 = table(
    ["ונג", -1, 1],
    ["שאפט", -1, 1],
    ["הײט", -1, 1],
    ["קײט", -1, 1],
    ["יקײט", 3, 1],
    ["ל", -1, 2],
  );
  a_6 = table(
    ["יג", -1, 1],
    ["יק", -1, 1],
    ["דיק", 1, 1],
    ["נדיק", 2, 1],
    ["ענדיק", 3, 1],
    ["בליק", 1, -1],
    ["גליק", 1, -1],
    ["ניק", 1, 1],
    ["יש", -1, 1],
  );
}

const program = new YiddishStemmer();

/** ISO 639-1 code. */
export const language = "yi";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
