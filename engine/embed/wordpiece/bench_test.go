package wordpiece

import (
	"maps"
	"slices"
	"testing"
)

// benchTexts are short ones as people write them, by script.
var benchTexts = map[string][]string{
	"english": {
		"the deployment moved to Thursday at 9:30 a.m.", "Where does Anna keep the spare key?",
		"our database runs out of disk space every month", "Minka is afraid of thunder",
		"We decided against Kubernetes because two machines are enough.",
	},
	"german":  {"Die Straße zum Büro ist bis Mai gesperrt.", "Der Schlüssel liegt unter der Fußmatte.", "Wo ist das Fahrrad?"},
	"russian": {"Ключ лежит под ковриком.", "Выпуск перенесён на четверг.", "Красный велосипед принадлежит соседям."},
	"chinese": {"钥匙在门垫下面。", "数据库磁盘快满了。", "客户希望通过电子邮件收发票。"},
	"korean":  {"열쇠는 매트 아래에 있다.", "배포는 목요일로 미뤄졌다."},
}

func BenchmarkEncode(b *testing.B) {
	tokenizer, dst := builtin(b), make([]int32, 0, DefaultMax)
	for _, name := range slices.Sorted(maps.Keys(benchTexts)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			texts, i, ids := benchTexts[name], 0, 0
			for b.Loop() {
				dst = tokenizer.Encode(texts[i%len(texts)], dst[:0], 0)
				ids += len(dst)
				i++
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "texts/s")
			b.ReportMetric(float64(ids)/float64(i), "ids/text")
		})
	}
}

func BenchmarkCount(b *testing.B) {
	tokenizer := builtin(b)
	b.ReportAllocs()
	for b.Loop() {
		tokenizer.Count(benchTexts["english"][0])
	}
}

func BenchmarkNew(b *testing.B) {
	vocab := builtin(b).vocab.text
	for b.Loop() {
		New(vocab)
	}
}
